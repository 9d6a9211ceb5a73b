import type { CauseCode } from '../../../facts/cause-words';
import type { Fact, FactData } from '../../../facts/fact';
import { unreachableMachines } from '../../../facts/precedence';
import type { ReasonCode } from '../../../facts/reason-words';

/** The cause of a loss that says the same as a guard of the row. */
const causeOfGuard: Partial<Record<ReasonCode, (data: FactData, stream: string) => CauseCode | null>> = {
  'process-stopped': ({ role, sender }, stream) =>
    role === 'receiving'
      ? 'receiving-stopped'
      : role === 'sending'
        ? 'sending-stopped'
        : sender === stream
          ? 'sender-stopped'
          : null,
  'process-starved': () => 'process-waited',
  'wall-clock-step': () => 'wall-clock-step',
  'sender-clock-step': ({ sender }, stream) => (sender === stream ? 'sender-clock-step' : null),
  suspended: () => 'machine-suspended',
};

const causesByGuard = new Map(Object.entries(causeOfGuard));

/** Causes of losses of a stream, without those that the guards in the same reason say. */
export function unsaidCauses(causes: readonly Fact[], broken: readonly Fact[], stream: string): Fact[] {
  // If two machines have the same cause, each is named.
  const keyOf = (code: string | null | undefined, { machine }: FactData): string => `${code} ${machine}`;
  const said = new Set(broken.map(({ code, data }) => keyOf(causesByGuard.get(code)?.(data, stream), data)));
  const unreachable = unreachableMachines(broken);
  return causes.filter(
    ({ code, data }) =>
      !said.has(keyOf(code, data)) && !(code === 'receiving-died' && unreachable.has(data.machine)),
  );
}
