import { expect, test, vi } from 'vitest';
import { Alerts } from './alerts';

const sending = { data: { role: 'sending' } };

function alerts() {
  const onChange = vi.fn();
  const wall = { ms: 100_000 };
  return { all: new Alerts(onChange, () => wall.ms), onChange, wall };
}

test('a host that is back leaves what happened, and asks for nothing', () => {
  const { all, wall } = alerts();
  all.note('host-died', 'The sending process ended with code 9', sending);
  expect(all.all).toMatchObject([{ key: 'host-sending', severity: 'warning' }]);
  expect(all.all[0]?.untilMs).toBeUndefined();
  wall.ms = 103_000;
  all.note('host-started', 'The sending process was started again', sending);
  expect(all.all).toMatchObject([
    {
      ...{ key: 'host-sending', message: 'The sending process ended with code 9' },
      ...{ sinceMs: 100_000, untilMs: 103_000 },
    },
  ]);
  expect(all.all[0]?.remedy).toContain('was started again');
  all.note('host-died', 'The receiving process ended with code 9', { data: { role: 'receiving' } });
  expect(all.all).toMatchObject([
    { message: 'The sending process ended with code 9', untilMs: 103_000 },
    { message: 'The receiving process ended with code 9' },
  ]);
  expect(all.all[1]?.untilMs).toBeUndefined();
});

test('what went wrong in a run is over once the next one begins; what keeps the engine from measuring is not', () => {
  const { all, onChange } = alerts();
  all.raise('run', 'error', { code: 'HOST_DIED', message: 'the run failed', remedy: 'Start it again' });
  all.raise('transport', 'error', { code: 'NDI_MISSING', message: 'no NDI' });
  onChange.mockClear();
  all.beginRun();
  expect(all.all.map(({ key, untilMs, remedy }) => [key, untilMs, remedy])).toEqual([
    ['run', 100_000, undefined],
    ['transport', undefined, undefined],
  ]);
  expect(onChange).toHaveBeenCalledOnce();
  all.beginRun();
  expect(onChange).toHaveBeenCalledOnce();
});

test('what happened within a run is over with it; that it failed is not', () => {
  const { all } = alerts();
  all.raise('row', 'error', { code: 'INTERNAL', message: 'a row could not be made' });
  all.note('source-damaged', 'frame 151: too short', {
    data: { source: '/clips/a.mov', damagedPictures: 1 },
  });
  all.note('problem', 'the log is full');
  all.note('problem', 'the log of one stream is full', { streamId: 3 });
  all.raise('run', 'error', { code: 'HOST_DIED', message: 'the run failed' });
  all.endRun();
  expect(all.all.map(({ key, untilMs }) => [key, untilMs])).toEqual([
    ...[
      ['row', 100_000],
      ['damaged', 100_000],
      ['problem', 100_000],
      ['problem-3', 100_000],
    ],
    ['run', undefined],
  ]);
});

test('an alert that was dismissed does not come back as one of the past', () => {
  const { all } = alerts();
  all.note('host-died', 'The sending process ended', sending);
  all.dismiss('host-sending');
  all.note('host-started', 'The sending process was started again', sending);
  expect(all.all).toEqual([]);
});

test('a host that is lost is an error until it is dismissed, and no longer started again', () => {
  const { all } = alerts();
  all.note('host-died', 'The sending process ended with code 9', sending);
  all.note('problem', 'The sending process could not be started again: it died 4 times', sending);
  all.endRun();
  expect(all.all).toMatchObject([
    { key: 'host-sending', severity: 'error', remedy: expect.stringContaining('Restart Whiteline') },
  ]);
  expect(all.all[0]?.untilMs).toBeUndefined();
});

test('a host of another machine is of the past once its run is over, or it was started again', () => {
  const { all } = alerts();
  const place = { data: { role: 'receiving', machine: 'display-1' } };
  const text = 'The receiving process on display-1 could not be started again: its agent is not connected';
  all.note('problem', text, place);
  all.note('host-died', 'The sending process ended with code 9', sending);
  all.endRun();
  expect(all.all.map(({ key, untilMs }) => [key, untilMs])).toEqual([
    ['machine-display-1-receiving', 100_000],
    ['host-sending', undefined],
  ]);
  all.note('problem', text, place);
  expect(all.all[0]?.untilMs).toBeUndefined();
  all.note('host-started', 'The receiving process on display-1 was started again', place);
  expect(all.all[0]).toMatchObject({ message: text, untilMs: 100_000 });
});

test('a host of another machine that is lost asks for its agent, not for a restart of the console', () => {
  const { all } = alerts();
  const text = 'The sending process on render-1 could not be started again: it is gone';
  all.note('problem', text, { data: { role: 'sending', machine: 'render-1' } });
  expect(all.all[0]?.remedy).toBe(
    'Start the agent on render-1 if it is not running, and check the network to it; then remove the streams and add them again',
  );
});

test('an outage is reported when it is over, and says since when it was', () => {
  const { all, wall } = alerts();
  const of = { data: { afterMs: 12_000 }, streamId: 3, stream: 'Wall 3' };
  all.note('stream-recovered', 'Wall 3: pictures again after 12 s', of);
  expect(all.all).toMatchObject([
    {
      key: 'outage-3',
      sinceMs: 88_000,
      untilMs: 100_000,
      cause: 'outage',
      stream: 'Wall 3',
      code: 'NO_VIDEO',
    },
  ]);
  expect(all.all[0]?.remedy).toContain('say what it cost');
  wall.ms = 150_000;
  all.note('stream-recovered', 'Wall 3: pictures again after 2 s', { ...of, data: { afterMs: 2000 } });
  expect(all.all).toMatchObject([{ key: 'outage-3', sinceMs: 148_000, untilMs: 150_000 }]);
});

test('what goes on began with its first alert; what comes again after its end begins anew', () => {
  const { all, wall } = alerts();
  const damaged = (pictures: number): void =>
    all.note('source-damaged', 'frame 151: too short', {
      data: { source: '/clips/a.mov', damagedPictures: pictures },
    });
  damaged(1);
  expect(all.all[0]?.message).toBe('a.mov has a corrupt frame. The last good picture was shown instead');
  wall.ms = 105_000;
  damaged(2);
  expect(all.all).toMatchObject([{ sinceMs: 100_000, details: 'frame 151: too short' }]);
  expect(all.all[0]?.message).toContain('2 pictures so far');
  all.endRun();
  wall.ms = 110_000;
  damaged(1);
  expect(all.all).toMatchObject([{ sinceMs: 110_000 }]);
});

test('an outage is of its run, and over with it', () => {
  const { all } = alerts();
  for (const id of [1, 2]) {
    all.beginRun();
    all.note('stream-stalled', 'no picture for 0.5 s', { streamId: id, stream: `Wall ${id}` });
    if (id === 1) all.endRun();
  }
  expect(all.all.map(({ stream, run, untilMs }) => [stream, run, untilMs])).toEqual([
    ['Wall 1', 1, 100_000],
    ['Wall 2', 2, undefined],
  ]);
});

test('problems of several streams stand beside each other, and end with the run', () => {
  const { all } = alerts();
  for (const id of [1, 2])
    all.note('problem', `captured-${id}.log lacks 3 captured frames`, {
      data: { log: `captured-${id}.log` },
      ...{ streamId: id, stream: `Wall ${id}` },
    });
  all.note('problem', 'The machine gives no standstills');
  expect(all.all.map(({ key, cause }) => [key, cause])).toEqual([
    ['problem-1', 'capture-log'],
    ['problem-2', 'capture-log'],
    ['problem', undefined],
  ]);
  all.endRun();
  expect(all.all.every(({ untilMs }) => untilMs !== undefined)).toBe(true);
});

test('what a program said of its own fault is a detail', () => {
  const { all } = alerts();
  const message = 'Cannot read properties of undefined';
  all.raise('run', 'error', { code: 'INTERNAL', message });
  expect(all.all).toMatchObject([
    { message: 'Whiteline itself failed', details: message, remedy: expect.stringContaining('report it') },
  ]);
  const worded = { code: 'INTERNAL', message: 'Too few files', remedy: 'Raise the limit' } as const;
  all.raise('run', 'error', worded);
  expect(all.all).toMatchObject([worded]);
});
