import { SimulatedBench } from './simulated-bench';
import { SimulatedFleet } from './simulated-fleet';

/** A simulated bench with the agents of these machines. */
export async function fleetBench(
  folder: string,
  ...machines: readonly string[]
): Promise<{ bench: SimulatedBench; fleet: SimulatedFleet }> {
  const bench = await SimulatedBench.start(folder);
  const fleet = new SimulatedFleet(bench);
  for (const name of machines) fleet.start(name);
  return { bench, fleet };
}

/** The ends of streams that a machine may have, and the parameters that put them there. */
export function endsOn(machine: string): [end: string, places: { sendOn?: string; receiveOn?: string }][] {
  const [sendOn, receiveOn] = [{ sendOn: machine }, { receiveOn: machine }];
  return [
    ['sending', sendOn],
    ['receiving', receiveOn],
    ['sending and receiving', { ...sendOn, ...receiveOn }],
  ];
}

/** What is said of a machine that was given up, and of one that was back. */
export const givenUp =
  /render-1 was not reachable from 12:\d\d:(\d\d\.\d{3}) UTC on, and was given up at 12:\d\d:(\d\d\.\d{3}) UTC/;
export const wasBack = /render-1 was not reachable from 12:\d\d:\d\d\.\d{3} to 12:\d\d:\d\d\.\d{3} UTC/;
