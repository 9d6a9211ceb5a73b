import { wallMsOf } from '../engine/clock';
import type { SampleLoad } from '../engine/load/sample-machine';
import { afterRecordsMs, onBeat } from '../protocol/beat';
import type { LoadSample } from '../protocol/load';
import { loadSample, roleLoad } from './load-sample';

/** What a machine takes for each stream and without one: figures that costs can be seen in. */
function usualLoad(streams: number): Partial<LoadSample> {
  const mbps = 100 * streams;
  return {
    cpuPercent: 10 + 4 * streams,
    loopbackMbps: 20 + mbps,
    roles: {
      sending: { ...roleLoad(1 + 2 * streams, 60, 'sdk'), traffic: { sentMbps: mbps, receivedMbps: 0 } },
      receiving: { ...roleLoad(1 + streams, 55, 'sdk'), traffic: { sentMbps: 0, receivedMbps: mbps } },
      console: roleLoad(1, 80, 'engine'),
    },
  };
}

/** All of the machine's CPU, and who took it. */
export function fullCpu(role: 'sending' | 'receiving' | 'others'): Partial<LoadSample> {
  const roles = { ...usualLoad(1).roles };
  const taken = role === 'others' ? null : roles[role];
  if (taken) roles[role] = { ...taken, cpuPercent: 92 };
  return { cpuPercent: 98, roles };
}

/** The load of a machine that a test makes up. */
export class SimulatedLoad {
  /** What the samples to come have otherwise; null: none comes. */
  next: Partial<LoadSample> | null = {};

  /** As the engine samples a machine. */
  readonly sample: SampleLoad = ({ wall, openStreams, lostPerSecond, latency, onSample }) => {
    const stop = onBeat(
      wall.clock,
      () => {
        if (this.next === null) return;
        const atNs = wall.clock.monotonicNs();
        const streams = openStreams();
        const lost = lostPerSecond();
        const { p50Ms = null, p99Ms = null } = latency() ?? {};
        onSample(
          loadSample({
            ...{
              atNs,
              wallMs: wallMsOf(atNs, wall.offsetUs),
              streams,
              latencyP50Ms: p50Ms,
              latencyP99Ms: p99Ms,
            },
            lostPerSecond: 'frames' in lost ? lost.frames : null,
            ...usualLoad(streams),
            ...this.next,
          }),
        );
      },
      { every: 2, afterMs: afterRecordsMs },
    );
    return { close: stop };
  };
}
