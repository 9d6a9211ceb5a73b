import { expect, test } from 'vitest';
import { scoreEnd, scoreRow } from './score.mjs';

/** A row of a stream from second 10 to 14, in which 120 frames were sent and came. */
function row(changed = {}) {
  const counts = {
    ...{ framesScheduled: 120, framesSenderMissed: 0, framesSubmitted: 120, framesReceived: 120 },
    ...{ framesDropped: 0, picturesCaptured: 120, framesDuplicated: 0, framesUndecodable: 0 },
    ...{ framesUndecodableUnmatched: 0, stalls: 0, worstWindowLost: 0, conserved: true },
    ...changed.figures,
  };
  const stream = {
    kind: 'stream',
    id: '1',
    name: 'one',
    figures: { firstFrame: 300, lastFrame: 419, ...counts },
  };
  return {
    ...{ index: 1, label: '', step: {}, verdict: 'PASS', reason: [], fromNs: 10e9, toNs: 14e9 },
    ...{ subjects: [stream], logs: { captured: {}, packets: null } },
    ...changed,
    figures: counts,
  };
}

/** So many frames missed by the sender, in the row and its stream. */
function missed(count) {
  const rest = 120 - count;
  return {
    ...{ framesSenderMissed: count, framesSubmitted: rest, framesReceived: rest, picturesCaptured: rest },
    worstWindowLost: 0,
  };
}

function stop(role, from, to) {
  return { kind: 'stop', role, pid: 7, perhapsFrom: from - 1e6, from, to, perhapsTo: to + 1e6 };
}

function done(actions = [], load = []) {
  return { actions, load, stolen: [] };
}

/** The findings of a row, by kind, with their words. */
function found(changed, what = done(), experiment = 'stream-load') {
  return scoreRow(experiment, row(changed), what).findings.map(({ kind, text }) => `${kind}: ${text}`);
}

const fact = (code, data = {}) => ({ code, data });
const sendingStopped = stop('sending', 11e9, 12.2e9);
const hog = { kind: 'hog', role: '2 busy', from: 11e9, to: 13e9, cpuSeconds: 3.5 };
const busy = { from: 11e9, to: 12e9, stolenPercent: 0, othersPercent: 90 };
const stolen = { ...busy, stolenPercent: 30, othersPercent: 0 };

test('an undisturbed row that passes is right', () => {
  expect(scoreRow('stream-load', row(), done())).toMatchObject({ category: 'control', findings: [] });
});

test('a PASS with a loss of its own counts is false, and a WARN with more than the profile accepts', () => {
  expect(found({ figures: missed(1) })).toEqual(['false pass: PASS with framesSenderMissed 1']);
  expect(found({ verdict: 'WARN', figures: missed(1) })).toEqual([
    'false pass: WARN with framesSenderMissed 1',
  ]);
  const dropped = (worstWindowLost) => ({
    ...{ framesReceived: 118, framesDropped: 2, picturesCaptured: 118 },
    worstWindowLost,
  });
  expect(found({ verdict: 'WARN', figures: dropped(1) })).toEqual([]);
  expect(found({ verdict: 'WARN', figures: dropped(2) })).toEqual(['false pass: WARN with framesDropped 2']);
});

test('a PASS is false where the sender stood still and no slot is missing', () => {
  expect(found({}, done([sendingStopped]))).toEqual([
    'false pass: PASS: no slot is missing while the sender stood still (1.20 s)',
    'not said: PASS without a word of sending, which stood still for 1.20 s',
  ]);
});

test('wake-ups are false where their process stood still among the slots, and not where it did so after the last one', () => {
  const wakeUps = { subjects: [], step: { 'quiet.rateHz': 60 }, reason: [fact('process-stopped')] };
  const row = {
    ...wakeUps,
    figures: { measuredSeconds: 2, 'quiet.wakeUps': 120, 'quiet.slotsOverslept': 0 },
  };
  const stopped = (from) => found(row, done([stop('content', from, from + 1.2e9)]), 'quiet');
  expect(stopped(10.5e9)).toEqual(['false pass: PASS: wake-ups of a process that stood still (1.20 s)']);
  expect(stopped(12.04e9)).toEqual([]);
});

test('packets are false where the pacer stood still among them, and not where it did so before the first or after the last one', () => {
  const packets = {
    ...{ subjects: [], figures: { measuredSeconds: 2 } },
    details: { startNs: '11000000000', rawLog: 'stamps-1.csv' },
  };
  const stopped = (from, to) => found(packets, done([stop('pacer that sends', from, to)]), 'pacing');
  expect(stopped(12e9, 12.4e9)).toEqual([
    'false pass: PASS: packets of a pacer that stood still (0.40 s)',
    'not said: PASS without a word of pacer that sends, which stood still for 0.40 s',
  ]);
  expect(stopped(10.1e9, 11.1e9)).toEqual([]);
  expect(stopped(12.9e9, 13.9e9)).toEqual([]);
});

test('a receiver that stood still may lose nothing: the row must say it, and no more', () => {
  const receiving = done([stop('receiving', 11e9, 12.2e9)]);
  expect(found({}, receiving)).toEqual([
    'not said: PASS without a word of receiving, which stood still for 1.20 s',
  ]);
  const reason = [fact('process-stopped', { role: 'receiving', seconds: 1.21, limitSeconds: 0.25 })];
  expect(found({ reason }, receiving)).toEqual([]);
});

test.each([
  [0.7, []],
  [1.2, []],
  [1.3, ['false pass: PASS: a rate or an answer was measured while its tool stood still (1.30 s)']],
])('a tool that stands still for %s s', (seconds, expected) => {
  const measured = { ...row(), subjects: [], figures: { 'storage.medianMBps': 300 } };
  const actions = done([stop('fio', 11e9, 11e9 + seconds * 1e9)]);
  const { findings } = scoreRow('storage', measured, actions);
  expect(
    findings.filter(({ kind }) => kind !== 'not said').map(({ kind, text }) => `${kind}: ${text}`),
  ).toEqual(expected);
});

test('a FAIL or an INVALID without any disturbance is false blame, but for one beside a hypervisor or others', () => {
  const fails = { verdict: 'FAIL', figures: missed(3) };
  expect(found(fails)).toEqual(['false blame: FAIL though nothing was done']);
  expect(found({ verdict: 'INVALID' })).toEqual(['false blame: INVALID though nothing was done']);
  for (const [second, category] of [
    [stolen, 'control, hypervisor'],
    [busy, 'control, others'],
  ])
    expect(scoreRow('stream-load', row(fails), done([], [second]))).toMatchObject({
      category,
      findings: [{ kind: 'false blame', isApart: true }],
    });
});

test('an INVALID that names other programs which did take the CPU is right without any disturbance', () => {
  const reason = [fact('others-busy', { percent: 90 })];
  expect(found({ verdict: 'INVALID', figures: missed(1), reason }, done([], [busy]))).toEqual([]);
});

test('an INVALID by datagrams that overflowed a buffer is right where the kernel counted some', () => {
  const lost = { lossPercent: 0.7, overflowed: 40, lost: 40 };
  const changed = { verdict: 'INVALID', subjects: [], reason: [fact('datagrams-overflowed', lost)] };
  const counted = (datagramsOverflowed) =>
    done([], [{ ...busy, stolenPercent: 0, othersPercent: 0, datagramsOverflowed }]);
  expect(found(changed, counted(40), 'link by UDP')).toEqual([]);
  expect(found(changed, counted(0), 'link by UDP')).toEqual([
    'false blame: INVALID that says datagrams-overflowed: no buffer of a socket overflowed',
  ]);
});

test('of a sender elsewhere only the stream hosts that send have to be named', () => {
  const unsaid = (role) => found({}, done([stop(role, 11e9, 11.6e9)])).filter((one) => /^not said/.test(one));
  for (const role of ['remote engine', 'remote receiving']) expect(unsaid(role)).toEqual([]);
  expect(unsaid('remote sending')).toEqual([
    'not said: PASS without a word of remote sending, which stood still for 0.60 s',
  ]);
});

test('what was done two seconds before a row is not of it', () => {
  expect(scoreRow('stream-load', row(), done([stop('sending', 6e9, 8e9)])).category).toBe('control');
  expect(scoreRow('stream-load', row(), done([stop('sending', 8e9, 9.5e9)])).category).toBe('disturbed');
});

test('a FAIL is false where a process stood still beyond its bound, was killed, or a hog ran', () => {
  const fails = { verdict: 'FAIL', figures: missed(36) };
  expect(found(fails, done([sendingStopped]))).toEqual([
    'false blame: FAIL although sending stood still for 1.20 s',
  ]);
  const killed = { kind: 'kill', role: 'receiving', from: 9e9, to: 9e9 };
  expect(found(fails, done([killed]))).toEqual(['false blame: FAIL although receiving was killed']);
  expect(found(fails, done([hog]))).toEqual(['false blame: FAIL although a hog took 3.5 s of CPU']);
});

test('below the bound a FAIL stands, and the death of a sender elsewhere is a finding', () => {
  const fails = { verdict: 'FAIL', figures: missed(6) };
  expect(found(fails, done([stop('sending', 11e9, 11.2e9)]))).toEqual([]);
  expect(found(fails, done([{ kind: 'kill', role: 'remote sending', from: 11e9, to: 11e9 }]))).toEqual([]);
});

test('an INVALID that names who stood still is right', () => {
  const reason = [fact('process-stopped', { role: 'sending', seconds: 1.2, limitSeconds: 0.25 })];
  expect(found({ verdict: 'INVALID', figures: missed(36), reason }, done([sendingStopped]))).toEqual([]);
});

test.each([
  ['process-stopped', { role: 'receiving' }, 'process-stopped receiving: it was not touched'],
  ['process-stopped', { tool: 'iperf3' }, 'process-stopped iperf3: it was not touched'],
  ['process-stopped', { sender: 'cam' }, 'process-stopped sender of cam: it was not touched'],
  [
    'process-stopped',
    { role: 'sending', seconds: 2.4 },
    'process-stopped sending 2.40 s: it stood still for 1.20 s at most',
  ],
  ['process-stopped', { role: 'tools' }, 'process-stopped tools: it was not touched'],
  ['helper-died', { helper: 'pacer' }, 'helper-died pacer: nothing was killed'],
  ['others-busy', {}, 'others-busy: others took 0 % at most'],
  ['cpu-stolen', {}, 'cpu-stolen: the hypervisor took 0 % at most'],
  ['suspended', {}, 'suspended: that was not so'],
])('an INVALID that says %s %o of a stopped sending process is false blame', (code, data, text) => {
  const changed = { verdict: 'INVALID', figures: missed(36), reason: [fact(code, data)] };
  expect(found(changed, done([sendingStopped]))).toEqual([`false blame: INVALID that says ${text}`]);
});

test('what a reason says was seen beside a loss has to have been there', () => {
  const seen = (code, data = {}) => [{ ...fact('frames-missed'), seen: [fact(code, data)] }];
  const foundOf = (reason) =>
    found({ verdict: 'INVALID', figures: missed(36), reason }, done([sendingStopped]));
  expect(foundOf(seen('link-down', { name: 'eth0', seconds: 3 }))).toEqual([
    'false blame: INVALID that says link-down eth0 3.00 s seen beside it: that was not so',
  ]);
  expect(foundOf(seen('cpu-stolen', { percent: 9 }))).toEqual([
    'false blame: INVALID that says cpu-stolen seen beside it: the hypervisor took 0 % at most',
  ]);
  expect(foundOf(seen('late-disk'))).toEqual([]);
});

test('a hog may starve any process, and is other programs', () => {
  const reason = [fact('process-starved', { role: 'receiving', seconds: 0.5 }), fact('others-busy')];
  expect(found({ verdict: 'INVALID', figures: missed(3), reason }, done([hog]))).toEqual([]);
});

test('sums that do not hold are wrong counts, unless the row says so', () => {
  const figures = { ...missed(3), framesReceived: 116 };
  const wrong = (who) => [
    `wrong counts: ${who}: submitted, received + dropped: 117 and 116`,
    `wrong counts: ${who}: captured, received + duplicated + unmatched: 117 and 116`,
  ];
  const changed = { verdict: 'INVALID', figures };
  expect(found(changed, done([sendingStopped]))).toEqual([...wrong('the row'), ...wrong('one')]);
  expect(found({ ...changed, reason: [fact('sums-disagree')] }, done([sendingStopped]))).toEqual([]);
});

test('the receiver’s own log decides what came', () => {
  const logged = (numbers) => ({
    packets: null,
    captured: {
      1: numbers.map((frameNumber) => ({ captureNs: 12e9, sourceId: 5, frameNumber, status: 0 })),
    },
  });
  const all = Array.from({ length: 120 }, (_, index) => 300 + index);
  expect(found({ logs: logged(all) })).toEqual([]);
  expect(found({ logs: logged(all.slice(1)) })).toEqual([
    'wrong counts: one: received by the row and by the log: 120 and 119',
  ]);
  const killed = { kind: 'kill', role: 'receiving', from: 13e9, to: 13e9 };
  expect(found({ verdict: 'INVALID', logs: logged(all.slice(1)) }, done([killed]))).toEqual([]);
  const changed = row({ verdict: 'INVALID', figures: missed(2), logs: logged(all.slice(0, 118)) });
  changed.subjects[0].figures.missedFrames = { ranges: [[300, 301]] };
  const { findings } = scoreRow('stream-load', changed, done([sendingStopped]));
  expect(findings.map(({ text }) => text)).toEqual(['one: lost by the row and in the log: 300, 301']);
});

test('figures of tools and helpers equal what they said', () => {
  const plain = (figures, details, changed = {}) =>
    scoreRow('any', { ...row(), subjects: [], figures, details, ...changed }, done()).findings.map(
      ({ text }) => text,
    );
  const udp = { datagramsSent: 1000, datagramsReceived: 900, datagramsLost: 50 };
  expect(plain({}, { runs: [{ report: { udp, sentSeconds: 4 } }] })).toEqual([
    'datagrams sent, received + lost: 1000 and 950',
  ]);
  const pass = { megabytes: 400, seconds: 4, megabytesPerSecond: 300 };
  expect(plain({}, { passes: [pass] })).toEqual(['a pass: MB/s and MB over s: 300 and 100']);
  const packets = { 'pacing.packetsSent': 4, 'pacing.packetsLost': 0 };
  expect(plain(packets, {}, { logs: { captured: {}, packets: [1, 2, 2, 3] } })).toEqual([
    'packets sent − lost, and numbers in the log: 4 and 3',
  ]);
});

test('the registry itself decides how many nodes are registered', () => {
  const changed = { ...row(), subjects: [], figures: { 'nmos.registered': 50 } };
  const asked = (nodes, atNs) =>
    scoreRow('nmos-scale', changed, { ...done(), answers: [{ atNs, nodes }] }).findings.map(
      ({ text }) => text,
    );
  expect(asked(50, 13.5e9)).toEqual([]);
  expect(asked(49, 13.5e9)).toEqual(['nodes registered by the row and by the registry: 50 and 49']);
  expect(asked(0, 10.5e9)).toEqual([]);
});

const ended = { exitCode: 0, signal: null, errors: '', hung: null, leftBehind: [] };
const kill = { kind: 'kill', role: 'engine', from: 1, to: 1 };

test.each([
  [
    'an exit code that is not the verdict’s',
    { exitCode: 0 },
    [],
    { verdict: 'FAIL' },
    /^exit code 0 for the verdict FAIL$/,
  ],
  [
    'no verdict, though nothing was killed',
    { exitCode: 3 },
    [],
    { verdict: null },
    /^no verdict, exit code 3/,
  ],
  ['a hang', { hung: 'engine 7 in S at futex' }, [], { verdict: null }, /^it did not end/],
  [
    'a crash',
    { errors: 'TypeError: x\n    at f (a.js:1)\n' },
    [],
    { verdict: 'PASS' },
    /^it crashed: TypeError/,
  ],
  ['a process left behind', { leftBehind: ['sending'] }, [], { verdict: 'PASS' }, /^it left sending behind$/],
  ['a folder that cannot be read', {}, [], { problem: 'ENOENT' }, /^its folder cannot be read: ENOENT$/],
])('%s is broken', (_, changed, actions, run, expected) => {
  const findings = scoreEnd({ ended: { ...ended, ...changed }, seconds: 90, actions }, run);
  expect(findings).toEqual([{ kind: 'broken', row: null, text: expect.stringMatching(expected) }]);
});

test('a command that was killed has neither verdict nor exit code', () => {
  const killed = { ...ended, exitCode: null, signal: 'SIGKILL' };
  expect(scoreEnd({ ended: killed, seconds: 5, actions: [kill] }, { verdict: null })).toEqual([]);
  expect(scoreEnd({ ended: killed, seconds: 5, actions: [kill] }, { problem: 'ENOENT' })).toEqual([]);
});
