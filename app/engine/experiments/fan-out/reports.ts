import { toolFailed } from '../../tools/tool-problem';
import type { FanOutMessage, FanOutMessageOf } from './fan-out-program';
import type { RowPlan } from './row-plan';

/**
 * Holds what the processes of a row report against each other: a program that leaves something out, or counts what was never sent,
 * must not be believed.
 * @throws WhitelineError TOOL_FAILED
 */
export function checkReports({ subscribers, measure }: RowPlan, said: readonly FanOutMessage[]): void {
  const of = <Type extends FanOutMessage['type']>(type: Type): FanOutMessageOf<Type>[] =>
    said.filter((message): message is FanOutMessageOf<Type> => message.type === type);
  const [published, ...more] = of('published');
  if (!published || more.length > 0 || of('counted').length !== 1)
    throw contradiction('publisher and counter did not report once each');
  const received = of('received');
  const numbers = new Set(received.map(({ subscriber }) => subscriber));
  if (received.length !== subscribers || numbers.size !== subscribers || Math.max(...numbers) >= subscribers)
    throw contradiction(`${received.length} reports came of ${subscribers} subscribers`);
  for (const { subscriber, samples, lost } of received)
    if (samples + lost !== published.samples) {
      const counts = `${samples} samples received and ${lost} lost`;
      throw contradiction(`subscriber ${subscriber + 1} reported ${counts} of ${published.samples} sent`);
    }
  if (measure === 'throughput') return;
  const all = of('roundTrips').find(({ subscriber }) => subscriber === -1);
  const trips = all ? all.count + all.timedOut : 0;
  if (trips < published.samples)
    throw contradiction(`the publisher reported ${trips} round trips of ${published.samples} samples`);
}

function contradiction(what: string): Error {
  return toolFailed('DDS fan-out', `its processes contradict each other: ${what}`);
}
