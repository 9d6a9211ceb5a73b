import type { FanOutParameters } from './declaration';
import { shapeOf } from './own-network';
import { batchOf, caseFacts, type RowPlan } from './row-plan';

/** How long a shaped link takes, ms; 0 if none is. */

/** For all copies of one payload. */
export function payloadMs(plan: RowPlan, parameters: FanOutParameters): number {
  const copies = caseFacts(plan.case).isMulticast ? 1 : plan.subscribers;
  return carriedMs(parameters, copies * Math.max(plan.sampleBytes, batchOf(plan, parameters)));
}

/** For what a full socket and a full queue hold, when the last write is done. */
export function queueMs(parameters: FanOutParameters): number {
  const { link, sendBufferBytes } = parameters;
  if (link === undefined) return 0;
  return carriedMs(parameters, sendBufferBytes + shapeOf(link, sendBufferBytes).queueBytes);
}

/** For which a write may wait at most: what the socket holds has to leave first. */
export function writeMs(plan: RowPlan, parameters: FanOutParameters): number {
  return payloadMs(plan, parameters) + carriedMs(parameters, parameters.sendBufferBytes);
}

function carriedMs({ link }: FanOutParameters, bytes: number): number {
  return link === undefined ? 0 : Math.ceil((8 * bytes) / (1000 * link));
}
