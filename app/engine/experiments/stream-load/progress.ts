import type { StreamPhase } from '../../../protocol/console';
import type { StreamLoadParameters } from '../../../protocol/experiments/stream-load/declaration';
import type { RunContext } from '../experiment';
import { mostBisections } from './refine';

/** What a row takes besides its warm-up and its hold time: connecting, and waiting for the last frames. */
const restSeconds = 0.7;

export type Report = (phase: StreamPhase, streams: number, phaseSeconds: number) => void;

/** Reports what is being done, and how long the ramp will still take up to its maximum, at the most. */
export function reportTo(parameters: StreamLoadParameters, context: RunContext): Report {
  const { maxStreams, start, step, repeats, holdSeconds, warmUpSeconds, refine } = parameters;
  const numberSeconds = warmUpSeconds + repeats * (holdSeconds + restSeconds);
  return (phase, streams, phaseSeconds) => {
    const isBefore = streams < start;
    const steps = isBefore ? 1 + (maxStreams - start) / step : (maxStreams - streams) / step;
    const bisections = refine ? mostBisections({ good: 0, bad: Math.max(start, step) }) : 0;
    context.progress({
      phase,
      step: streams,
      steps: maxStreams,
      phaseSeconds,
      phaseElapsedSeconds: 0,
      remainingSeconds:
        (Math.ceil(steps) + bisections) * numberSeconds +
        (phase === 'connecting' ? numberSeconds : phaseSeconds),
    });
  };
}
