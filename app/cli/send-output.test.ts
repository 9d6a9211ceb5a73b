import { afterEach, expect, test, vi } from 'vitest';
import { exampleRow } from '../testing/example-run';
import { takeOutputs } from '../testing/screen';
import { SendOutput } from './send-output';

let restore: () => void = () => undefined;
afterEach(() => restore());

function onTerminal() {
  vi.stubEnv('TERM', 'xterm');
  const taken = takeOutputs({ isTTY: true, columns: 80 });
  restore = taken.restore;
  return taken;
}

/** A row of one stream that its sender submitted and missed so often; null: it left no records. */
function sentRow(submitted: number | null, missed: number | null) {
  const row = exampleRow();
  const [subject] = row.subjects;
  if (!subject) throw new Error('the example has a stream');
  const figures = { ...subject.figures, framesSubmitted: submitted, framesSenderMissed: missed };
  return { ...row, subjects: [{ ...subject, figures }] };
}

const now = { phase: 'measuring', elapsedSeconds: 5, remainingSeconds: 7 } as const;

test('the line adds the open row to those before it', () => {
  const { screen } = onTerminal();
  const output = new SendOutput(false);
  output.now(null, now, 0);
  expect(screen.shown).toEqual(['Sending · 7 s left · 0 receivers']);
  output.row(sentRow(300, 1));
  output.now(null, now, 1);
  expect(screen.shown).toEqual(['Sending · 7 s left · missed 1 · submitted 300 · 1 receiver']);
  output.now(sentRow(60, 2), { ...now, remainingSeconds: null }, 1);
  expect(screen.shown).toEqual(['Sending · for 5 s · missed 3 · submitted 360 · 1 receiver']);
});

test('at its end stands what each stream came to, and rows without records', () => {
  const { screen } = onTerminal();
  const output = new SendOutput(false);
  output.now(null, now, 0);
  for (const row of [sentRow(300, 1), sentRow(null, null), sentRow(1, 0)]) output.row(row);
  output.end({ verdict: 'FAIL', reason: 'missed' }, 'folder');
  expect(screen.shown).toEqual([
    'Whiteline 1: 301 frames submitted, 1 missed; 1 row without its records',
    ...['FAIL: missed', 'Run: folder', ''],
  ]);
});
