import { badInput } from '../../protocol/errors';
import {
  examplesOfNmosNode,
  expectedOfNmosNode,
  type NmosNodeFields,
  type NmosNodeSettings,
  nmosNodeFieldsSchema,
} from '../../protocol/nmos-node';
import { safeParse } from '../../protocol/safe-parse';
import { engineEnvironment } from '../../protocol/shell';

/**
 * Settings of the console's NMOS node from the environment; null: off.
 * @throws WhitelineError BAD_INPUT with the field that is wrong
 */
export function nmosNodeOf(environment: NodeJS.ProcessEnv): NmosNodeSettings | null {
  const of = (name: keyof NmosNodeFields): string | undefined =>
    environment[engineEnvironment[name]] || undefined;
  const isOn = of('nmosNode') ?? 'off';
  if (isOn !== 'on' && isOn !== 'off') throw refusal('nmosNode', isOn);
  if (isOn === 'off') return null;
  const given = {
    ...{ nmosNode: true, nmosRegistry: of('nmosRegistry'), nmosHost: of('nmosHost') },
    ...{ nmosPort: wholeNumber(of('nmosPort')), nmosReceivers: wholeNumber(of('nmosReceivers')) },
  };
  const result = safeParse(nmosNodeFieldsSchema, given);
  if (!result.success) {
    const [field] = result.error.issues[0]?.path ?? [];
    const name = (Object.keys(given) as (keyof NmosNodeFields)[]).find((one) => one === field) ?? 'nmosNode';
    throw refusal(name, of(name));
  }
  const { nmosRegistry: registry, nmosHost: host, nmosPort: port, nmosReceivers: receivers } = result.data;
  return { registry, host, port, receivers };
}

/** NaN for any other text; the schema refuses it. */
function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

function refusal(name: keyof NmosNodeFields, received: string | undefined): Error {
  return badInput(name, expectedOfNmosNode[name], received, examplesOfNmosNode[name]);
}
