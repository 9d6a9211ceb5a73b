import { toolFailed } from '../../engine/tools/tool-problem';
import type { FanOutMessage, FanOutMessageOf } from './fan-out-program';
import type { RowPlan } from './row-plan';

/**
 * Each process of a row reports, and once; what their figures say is held against each other later (contradictions.ts).
 * @throws WhitelineError TOOL_FAILED
 */
export function checkReports({ subscribers }: RowPlan, said: readonly FanOutMessage[]): void {
  const of = <Type extends FanOutMessage['type']>(type: Type): FanOutMessageOf<Type>[] =>
    said.filter((message): message is FanOutMessageOf<Type> => message.type === type);
  const [published, ...more] = of('published');
  if (!published || more.length > 0 || of('counted').length !== 1)
    throw contradiction('publisher and counter did not report once each');
  const received = of('received');
  const numbers = new Set(received.map(({ subscriber }) => subscriber));
  if (received.length !== subscribers || numbers.size !== subscribers || Math.max(...numbers) >= subscribers)
    throw contradiction(`${received.length} reports came of ${subscribers} subscribers`);
}

function contradiction(what: string): Error {
  return toolFailed('DDS fan-out', `its processes contradict each other: ${what}`);
}
