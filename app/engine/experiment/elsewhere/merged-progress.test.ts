import { expect, test } from 'vitest';
import type { Progress } from '../../../protocol/console';
import { doingText } from '../../../protocol/progress-words';
import { MergedProgress } from './merged-progress';

test('what the slowest machine does is said with its name as it is, and the phase in the words of all', () => {
  const said: string[] = [];
  const merged = new MergedProgress((progress) => said.push(doingText(progress)));
  const waking: Progress = {
    ...{ phase: 'waking 60 times a second', step: 1, steps: 4, phaseSeconds: 10, phaseElapsedSeconds: 0 },
    remainingSeconds: 30,
  };
  merged.of('display-1')(waking);
  merged.of('Render-1')({ ...waking, remainingSeconds: 40, note: 'it is busy' });
  merged.of('Render-1')({ ...waking, phase: 'measuring', remainingSeconds: 20 });
  merged.end('display-1');
  expect(said).toEqual([
    'display-1: Waking 60 times a second',
    'Render-1: Waking 60 times a second: it is busy',
    'display-1: Waking 60 times a second',
    'Render-1: Measuring',
  ]);
});
