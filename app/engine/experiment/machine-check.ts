import type { z } from 'zod';
import { safeParse } from '../../protocol/safe-parse';
import type { NativeHost } from '../capabilities/native-host';

/** What this machine alone knows of a field: a movie, a host, an interface. It is asked while other fields are wrong too. */
export interface MachineCheck {
  /** The field, and the others that the answer depends on; asked where none of them is wrong otherwise. */
  fields: readonly string[];
  /** @throws WhitelineError naming one of the fields */
  ask(typed: Record<string, unknown>, host: NativeHost): Promise<unknown>;
}

/** @param fields those of an experiment's parameters that the check reads */
export function machineCheck<Fields extends z.ZodObject>(
  fields: Fields,
  check: (values: z.output<Fields>, host: NativeHost) => unknown,
): MachineCheck {
  return {
    fields: Object.keys(fields.shape),
    ask: async (typed, host) => {
      const given = Object.entries(typed).filter(([name]) => name in fields.shape);
      const read = safeParse(fields, Object.fromEntries(given));
      if (read.success) await check(read.data, host);
    },
  };
}
