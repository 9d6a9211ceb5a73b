import type { HostEnvironment } from '../../protocol/environment';
import { type Problem, problemText } from '../../protocol/errors';
import type { AgentMachine } from '../../protocol/fleet/presence';
import { plainSentences } from '../../protocol/plain-text';

const longestReason = 400;

/**
 * What an agent tells of its machine.
 * @param ndi version of the NDI runtime, or the problem that kept it from loading
 */
export function agentMachineOf(environment: HostEnvironment, ndi: string | Problem): AgentMachine {
  const { hostName, system, mainboard, cpuModel, cores, memoryMb, gpus, interfaces } = environment;
  const board = mainboard && [mainboard.vendor, mainboard.product].filter(Boolean).join(' ');
  const reasons = { board: environment.notKnown.mainboard, gpus: environment.notKnown.gpus };
  const notKnown = Object.fromEntries(
    Object.entries(reasons).flatMap(([name, reason]) => (reason === undefined ? [] : [[name, reason]])),
  );
  const hasNdi = typeof ndi === 'string';
  return {
    ...{ hostName, system, cpuModel, cores, memoryMb },
    board: board || null,
    gpus: gpus?.map(({ name }) => name) ?? null,
    interfaces: interfaces.map(({ name, state, speedMbps }) => ({ name, state, speedMbps })),
    ndi: hasNdi ? ndi : null,
    notKnown: {
      ...notKnown,
      ...(!hasNdi && { ndi: plainSentences(problemText(ndi)).slice(0, longestReason) }),
    },
  };
}
