import { expect, test } from 'vitest';
import type { ToolCall } from '../../engine/tools/run-tool';
import { madeUpBooks } from '../../testing/made-up-books';
import { ScriptedTools, type ToolAnswer } from '../../testing/scripted-tools';
import { SimulatedClock } from '../../testing/simulated-clock';
import { stopped } from '../../testing/standstills';
import { temporaryFolder } from '../../testing/temporary-folder';
import { rowTexts, secondsOf, type WholeRunOrder, wholeRun } from '../../testing/whole-run';
import { asksVersion, ipAnswer, iperfAnswer, type MadeUpLink, pingAnswer } from './iperf.fixture';
import { link } from './link';

const folder = temporaryFolder();
type Pings = readonly (number | null)[] | ToolAnswer;
interface Order extends Partial<WholeRunOrder> {
  pings?: Pings;
  /** While ping measures, somebody sets the wall clock. */
  steppedMs?: number;
  overflows?: number[];
}

/** To another host, over a link of 1000 Mb/s; `links` has what each call of iperf3 finds, the last one for all after it. */
async function linked(
  links: readonly (MadeUpLink | ToolAnswer)[],
  more: Record<string, unknown> = {},
  { pings = [0.5, 0.25, 0.75], steppedMs = 0, overflows = [], isSampledBefore, ...order }: Order = {},
) {
  const clock = new SimulatedClock();
  let [tests, looks] = [0, 0];
  const tools = new ScriptedTools(clock, (call) => {
    if (call.file === 'ip') return ipAnswer(call, 'cable0');
    if (call.file === 'ping') clock.stepWall(steppedMs);
    if (call.file === 'ping') return 'length' in pings ? pingAnswer(call, pings) : pings;
    if (asksVersion(call)) return iperfAnswer(call, { mbps: 0 });
    const found = links[Math.min(tests++, links.length - 1)] ?? {};
    return 'mbps' in found ? iperfAnswer(call, found) : found;
  });
  // Time has to pass before the first program is called.
  if (isSampledBefore === false || order.sampleAt) tools.letGo();
  const books = madeUpBooks(clock, { udpOverflows: () => overflows[looks++] ?? 0 });
  const usual = { host: '192.0.2.7', lineRateMbps: 1000, repeats: 2, pings: 3, datagramBytes: [1472] };
  const parameters = { ...usual, ...more };
  const whole = await wholeRun({
    experiment: link,
    clock,
    folder,
    parameters,
    tools,
    books,
    isSampledBefore,
    ...order,
  });
  return { ...whole, calls: tools.calls };
}

test('ping, TCP and UDP both ways: rows, times, figures and verdict', async () => {
  const { outcome, run, page, incidents, calls } = await linked([
    { mbps: 940 },
    { mbps: 950 },
    { mbps: 948 },
  ]);
  expect(rowTexts(run)).toEqual([
    ['ping over the idle link', 'PASS', 'RTT 0.500 ms'],
    ['TCP, to the other end', 'PASS', '945.0 Mb/s, 94.5 % of the link’s 1000 Mb/s'],
    ['TCP, from the other end', 'PASS', '948.0 Mb/s, 94.8 % of the link’s 1000 Mb/s'],
    ['UDP with 1472-byte datagrams, to the other end', 'PASS', 'no datagram lost at 948.0 Mb/s'],
    ['UDP with 1472-byte datagrams, from the other end', 'PASS', 'no datagram lost at 948.0 Mb/s'],
  ]);
  expect(outcome).toMatchObject({ state: 'finished', verdict: 'PASS' });
  expect(outcome.reason).toMatch(/^RTT 0\.500 ms; TCP, to the other end: 945\.0 Mb\/s; .*, 0\.000 % lost$/);
  // Three echoes 0.2 s apart; two repeats of 10 s with a start of 0.25 s, of TCP with a second that is left out.
  expect(secondsOf(run)).toEqual([
    ...[
      [0, 0.6],
      [0.6, 23.1],
      [23.1, 45.6],
    ],
    [45.6, 66.1],
    [66.1, 86.6],
  ]);
  const [ping, tcp, , udp] = run.rows;
  expect(ping?.figures).toMatchObject({ 'link.rttMs': 0.5, 'link.rttMs.sd': 0.25, 'link.lossPercent': 0 });
  expect(tcp?.figures).toMatchObject({
    ...{
      measuredSeconds: 20,
      'link.throughputMbps': 945,
      'link.lineRatePercent': 94.5,
      'link.dataMb': 1181.25,
    },
    ...{ 'link.throughputMbps.sd': expect.closeTo(Math.sqrt(50), 9), 'link.machineCpuPercent': 20 },
    ...{ 'link.retransmits': 0, 'link.loadedRttMs': 0.5, 'link.jitterMs': null },
  });
  // 1472 bytes of payload in 1538 of the wire.
  expect(udp?.figures['link.targetMbps']).toBeCloseTo((1000 * 1472) / 1538, 9);
  expect(page.run.rows).toEqual(run.rows);
  expect(incidents).toEqual([]);
  expect(calls.map(({ file }) => file)).toEqual(['ip', 'ip', 'iperf3', 'ping', ...Array(8).fill('iperf3')]);
});

const onePing = { pings: 1, protocols: ['tcp'], directions: ['send'], repeats: 1 };

test('a first row that is shorter than a load sample begins when there is one', async () => {
  const { run } = await linked([{ mbps: 940 }], onePing, { pings: [0.5], isSampledBefore: false });
  expect(rowTexts(run)[0]).toEqual(['ping over the idle link', 'PASS', 'RTT 0.500 ms']);
  expect(secondsOf(run)[0]?.[0]).toBeGreaterThanOrEqual(0.5);
});

test('where no load sample comes, the run begins without one, and its first row says so', async () => {
  const { run } = await linked([{ mbps: 940 }], onePing, { pings: [0.5], sampleAt: () => null });
  expect(rowTexts(run)[0]).toEqual([
    ...['ping over the idle link', 'INVALID'],
    expect.stringContaining('no load sample lies within that time or just before it'),
  ]);
  expect(secondsOf(run)[0]?.[0]).toBeGreaterThanOrEqual(3);
});

test('each figure is known, or says why not', async () => {
  const { run } = await linked([{ mbps: 940 }]);
  for (const { label, figures, notMeasured } of run.rows)
    for (const [id, value] of Object.entries(figures))
      expect(notMeasured[id] !== undefined, `${label}: ${id}`).toBe(value === null);
});

test('a link that carries too little, and one that loses too much, fail; a full processor at either end says nothing', async () => {
  const udp = { protocols: ['udp'], directions: ['send'], repeats: 1, pings: 0 };
  const tcp = { ...udp, protocols: ['tcp'] };
  const rowOf = async (made: MadeUpLink, more: Record<string, unknown>) =>
    rowTexts((await linked([made], more)).run)[0];
  expect(await rowOf({ mbps: 500 }, tcp)).toMatchObject([
    {},
    'FAIL',
    expect.stringMatching(/^500\.0 Mb\/s, 50\.0 %/),
  ]);
  expect(await rowOf({ mbps: 800 }, tcp)).toMatchObject([
    {},
    'WARN',
    expect.stringContaining('90 % required'),
  ]);
  expect(await rowOf({ mbps: 500, localCpuPercent: 99 }, tcp)).toMatchObject([
    ...[{}, 'INVALID', expect.stringContaining('iperf3 here took 99 % of a core: the link may carry more')],
  ]);
  const lossy = { mbps: 950, lostShare: 0.01 };
  expect(await rowOf(lossy, udp)).toMatchObject([
    {},
    'FAIL',
    expect.stringContaining('1.000 % of the datagrams lost'),
  ]);
  expect(await rowOf({ mbps: 950, lostShare: 0.0005 }, udp)).toMatchObject([{}, 'WARN', {}]);
  expect(await rowOf({ ...lossy, remoteCpuPercent: 98 }, udp)).toMatchObject([
    ...[
      {},
      'INVALID',
      expect.stringMatching(
        /^iperf3 on the other host took 98 % of a core: datagrams may have been lost there; /,
      ),
    ],
  ]);
});

test.each([
  ['enough', 950, 'iperf3', 0.7, 'PASS'],
  ['enough', 950, 'iperf3', 1.2, 'INVALID'],
  ['too little', 500, 'iperf3', 0.7, 'FAIL'],
  ['too little', 500, 'iperf3', 1.2, 'INVALID'],
  ['too little', 500, 'engine', 0.2, 'FAIL'],
  ['too little', 500, 'engine', 0.7, 'INVALID'],
  ['enough', 950, 'engine', 3, 'PASS'],
])(
  'a link that carries %s (%d Mb/s), while %s was stopped for %d s: %s',
  async (_, mbps, name, seconds, verdict) => {
    const who = name === 'engine' ? { role: name } : { tool: name };
    const standstills = [stopped(who, 1, 1 + seconds)];
    const only = { protocols: ['tcp'], directions: ['send'], repeats: 1, pings: 0 };
    const { run } = await linked([{ mbps }], only, { standstills });
    const reason = `${name === 'engine' ? 'our engine process' : name} was stopped for ${seconds} s`;
    expect(rowTexts(run)).toEqual([
      [
        expect.anything(),
        verdict,
        expect.stringContaining(verdict === 'INVALID' ? reason : `${mbps}.0 Mb/s`),
      ],
    ]);
  },
);

test.each(['tcp', null])(
  'UDP whose target is what TCP (%s) reached while iperf3 was stopped: it says so, and nothing of its own',
  async (rowOfTcp) => {
    const clock = new SimulatedClock();
    let tests = 0;
    const tools = new ScriptedTools(clock, (call) => {
      if (call.file === 'ip') return ipAnswer(call, 'cable0');
      if (asksVersion(call)) return iperfAnswer(call, { mbps: 0 });
      // The first one measures for longer than it was asked to.
      const asked = call.args[call.args.indexOf('-t') + 1];
      const args = tests++ > 0 ? call.args : call.args.map((word) => (word === asked ? '12' : word));
      return { ...iperfAnswer({ ...call, args }, { mbps: 940 }), seconds: 13.25 };
    });
    const protocols = [...(rowOfTcp ? [rowOfTcp] : []), 'udp'];
    const one = { protocols, directions: ['send'], datagramBytes: [1472], repeats: 1, pings: 0 };
    const parameters = { host: '192.0.2.7', ...one };
    const standstills = [stopped({ tool: 'iperf3' }, 1, 2.5)];
    const { run } = await wholeRun({ experiment: link, clock, folder, parameters, tools, standstills });
    const [udp, tcp] = rowTexts(run).reverse();
    if (rowOfTcp)
      expect(tcp).toEqual([
        ...[expect.anything(), 'INVALID'],
        expect.stringMatching(
          /^940\.0 Mb\/s; .+, not judged: iperf3 was stopped for 1\.5 s \(limit 1 s\); .*12 .*10 /,
        ),
      ]);
    expect(udp?.slice(1)).toEqual([
      'INVALID',
      'its target is the rate that TCP reached, but that rate is not valid, because iperf3 was stopped for 1.5 s (limit 1 s)',
    ]);
  },
);

test('what this machine threw away itself is not the link’s loss', async () => {
  const more = { protocols: ['udp'], directions: ['receive'], repeats: 1, pings: 0 };
  const lossy = { mbps: 950, lostShare: 0.01 };
  const rowOf = async (overflows: number[]) => rowTexts((await linked([lossy], more, { overflows })).run)[0];
  expect(await rowOf([100, 100])).toMatchObject([{}, 'FAIL', {}]);
  expect(await rowOf([100, 7000])).toMatchObject([{}, 'INVALID', expect.stringContaining('6900 of 8067')]);
});

test('without a speed UDP aims at what TCP reached, measured once where no TCP row is asked for', async () => {
  const more = { lineRateMbps: undefined, protocols: ['udp'], directions: ['send'], repeats: 1, pings: 0 };
  const { run, calls } = await linked([{ mbps: 800 }, { mbps: 780 }], more);
  expect(run.rows).toHaveLength(1);
  expect(run.rows[0]?.figures).toMatchObject({ 'link.targetMbps': 800, 'link.lineRatePercent': null });
  const tests = calls.filter((call) => call.file === 'iperf3' && !asksVersion(call)).map(({ args }) => args);
  expect(tests.map((args) => args.includes('-u'))).toEqual([false, true]);
  expect(tests[1]).toContain('800000000');
});

const ndi = { rates: ['ndi'], directions: ['send'], repeats: 1, pings: 0, streamMbps: 120 };

test('the rates of 1, 2, 4 … NDI streams, as far as the link has room for them', async () => {
  const links = [120, 240, 480, 840, 120, 240, 480, 840].map((mbps) => ({ mbps }));
  const { outcome, run, calls, progress } = await linked(links, ndi);
  expect(rowTexts(run).map(([label, verdict, reason]) => [label, verdict, reason])).toEqual([
    [
      'TCP at the rate of one NDI stream, to the other end',
      'PASS',
      'carried one stream’s worth (120.0 Mb/s) without loss',
    ],
    [
      'TCP at the rate of 2 NDI streams, to the other end',
      'PASS',
      'carried 2 streams’ worth (240.0 Mb/s) without loss',
    ],
    [
      'TCP at the rate of 4 NDI streams, to the other end',
      'PASS',
      'carried 4 streams’ worth (480.0 Mb/s) without loss',
    ],
    [
      'TCP at the rate of 7 NDI streams, to the other end',
      'PASS',
      'carried 7 streams’ worth (840.0 Mb/s) without loss',
    ],
    [
      'UDP at the rate of one NDI stream, to the other end',
      'PASS',
      'carried one stream’s worth (120.0 Mb/s) without loss',
    ],
    [
      'UDP at the rate of 2 NDI streams, to the other end',
      'PASS',
      'carried 2 streams’ worth (240.0 Mb/s) without loss',
    ],
    [
      'UDP at the rate of 4 NDI streams, to the other end',
      'PASS',
      'carried 4 streams’ worth (480.0 Mb/s) without loss',
    ],
    [
      'UDP at the rate of 7 NDI streams, to the other end',
      'PASS',
      'carried 7 streams’ worth (840.0 Mb/s) without loss',
    ],
  ]);
  expect(outcome).toMatchObject({
    verdict: 'PASS',
    reason:
      'TCP to the other end: carried 7 streams’ worth (840.0 Mb/s) without loss; ' +
      'UDP to the other end: carried 7 streams’ worth (840.0 Mb/s) without loss',
  });
  const tests = calls
    .filter((call) => call.file === 'iperf3' && !asksVersion(call))
    .map(({ args }) => args.join(' '));
  expect(tests[3]).toMatch(/-P 7 -O 1 -b 120000000$/);
  // A packet of 1500 bytes holds 1472 of payload.
  expect(tests[7]).toMatch(/-P 7 -u -l 1472 -b 120000000$/);
  expect(run.rows[7]?.step).toMatchObject({ 'link.ndiStreams': 7, 'link.streams': 7 });
  expect(run.rows[7]?.figures).toMatchObject({ 'link.targetMbps': 840, 'link.lateIntervals': 0 });
  expect(progress.at(-1)).toMatchObject({ step: 8, steps: 8 });
  for (const { label, figures, notMeasured } of run.rows)
    for (const [id, value] of Object.entries(figures))
      expect(notMeasured[id] !== undefined, `${label}: ${id}`).toBe(value === null);
});

test.each<[string, Record<string, unknown>, string[]]>([
  ['of streams that were given', { maxStreams: 2 }, ['1 of 3', '2 of 3', '3 of 3']],
  ['of a link whose speed is known', { lineRateMbps: 300 }, ['1 of 3', '2 of 3', '3 of 3']],
  ['that are not known before TCP was measured', { lineRateMbps: undefined }, ['1 of 1', '2 of 3', '3 of 3']],
])('the steps of a run are its ping and the rows %s', async (_, more, steps) => {
  const rates = { ...ndi, ...more, protocols: ['tcp'], pings: 3 };
  const { progress } = await linked([{ mbps: 250 }], rates);
  expect(progress.map(({ step, steps: all }) => `${step} of ${all}`)).toEqual(steps);
});

test('a step that loses fails, and the run says how many streams came through', async () => {
  const links = [{ mbps: 120 }, { mbps: 240 }, { mbps: 480, lostShare: 0.02 }];
  const { outcome } = await linked(links, { ...ndi, protocols: ['udp'], maxStreams: 4 });
  expect(outcome.verdict).toBe('FAIL');
  expect(outcome.reason).toMatch(
    /^UDP to the other end: carried 2 streams’ worth \(240\.0 Mb\/s\) without loss\. UDP at the rate of 4 NDI streams, to the other end: 2\.000 %/,
  );
});

test('a sender that does not reach the rate makes its row INVALID, which names it', async () => {
  const links = [{ mbps: 120 }, { mbps: 200, localCpuPercent: 99 }];
  const { outcome, run } = await linked(links, { ...ndi, protocols: ['udp'], maxStreams: 2 });
  expect(rowTexts(run)[1]?.slice(1)).toEqual([
    'INVALID',
    expect.stringMatching(
      /^iperf3 here took 99 % of a core: only 200\.0 Mb\/s of 2 streams’ worth \(240\.0 Mb\/s\)/,
    ),
  ]);
  expect(outcome.verdict).toBe('INVALID');
  expect(outcome.reason).toContain(
    'UDP to the other end: carried one stream’s worth (120.0 Mb/s) without loss',
  );
});

test('one repeat of many that was sent too slowly is not hidden by the others', async () => {
  const links = [...Array(9).fill({ mbps: 120 }), { mbps: 105 }];
  const { run } = await linked(links, { ...ndi, protocols: ['udp'], maxStreams: 1, repeats: 10 });
  expect(rowTexts(run)[0]?.slice(1)).toEqual([
    'INVALID',
    expect.stringContaining('only 105.0 Mb/s of one stream’s worth'),
  ]);
});

test('without a speed there is room for what TCP reached, and a given number of streams needs none', async () => {
  const unknown = { ...ndi, lineRateMbps: undefined, protocols: ['udp'] };
  const probed = await linked([{ mbps: 300 }, { mbps: 120 }, { mbps: 240 }], unknown);
  expect(rowTexts(probed.run).map(([, verdict]) => verdict)).toEqual(['PASS', 'PASS']);
  const given = await linked([{ mbps: 120 }], { ...unknown, maxStreams: 1 });
  expect(rowTexts(given.run).map(([, verdict]) => verdict)).toEqual(['PASS']);
  expect(given.calls.filter((call) => call.args.includes('-t'))).toHaveLength(1);
});

test('the rates of streams stand beside what fills the link, each with its own best', async () => {
  const links = [{ mbps: 940 }, { mbps: 950 }, { mbps: 120 }, { mbps: 120 }];
  const { outcome, run } = await linked(links, { ...ndi, rates: ['line', 'ndi'], maxStreams: 1 });
  expect(run.rows.map((row) => row.step['link.ndiStreams'] ?? null)).toEqual([null, null, 1, 1]);
  expect(outcome.reason).toMatch(
    /^TCP, to the other end: 940\.0 Mb\/s; UDP with 1472-byte datagrams.*; TCP to the other end: carried one .*; UDP to the other end: carried one /,
  );
});

/** Its report, as another version or system would write it. */
function rewritten(
  call: ToolCall,
  made: MadeUpLink,
  change: (end: Record<string, unknown>) => void,
): ToolAnswer {
  const answer = iperfAnswer(call, made);
  const report = JSON.parse(answer.stdout ?? '');
  change(report.end);
  return { ...answer, stdout: JSON.stringify(report) };
}

test.each<[string, string[], (end: Record<string, unknown>) => void, string, string]>([
  [
    'retransmits',
    ['tcp'],
    (end) => Object.assign(end, { sum_sent: { ...(end.sum_sent as object), retransmits: undefined } }),
    'link.retransmits',
    'PASS',
  ],
  ['its CPU', ['tcp'], (end) => delete end.cpu_utilization_percent, 'link.localCpuPercent', 'PASS'],
  [
    'jitter',
    ['udp'],
    (end) => Object.assign(end, { sum_received: { ...(end.sum_received as object), jitter_ms: undefined } }),
    'link.jitterMs',
    'PASS',
  ],
  ['what arrived', ['tcp'], (end) => delete end.sum_received, 'link.throughputMbps', 'INVALID'],
])(
  'an iperf3 without %s: not measured, with the reason, and the run goes on',
  async (_, protocols, change, id, verdict) => {
    const clock = new SimulatedClock();
    const tools = new ScriptedTools(clock, (call) => {
      if (call.file === 'ip') return ipAnswer(call, 'cable0');
      return asksVersion(call) ? iperfAnswer(call, { mbps: 0 }) : rewritten(call, { mbps: 950 }, change);
    });
    const parameters = {
      ...{ host: '192.0.2.7', lineRateMbps: 1000, repeats: 2, pings: 0 },
      ...{ datagramBytes: [1472], directions: ['send'], protocols },
    };
    const { run } = await wholeRun({ experiment: link, clock, folder, parameters, tools });
    const [row] = run.rows;
    expect([row?.figures[id], row?.notMeasured[id]]).toEqual([null, 'iperf3 does not report it']);
    expect(run.verdict).toBe(verdict);
  },
);

test('what iperf3 measured is held against what it was asked for', async () => {
  const clock = new SimulatedClock();
  const tools = new ScriptedTools(clock, (call) => {
    if (call.file === 'ip') return ipAnswer(call, 'cable0');
    const args = call.args.map((word) => (word === '10' ? '5' : word));
    return { ...iperfAnswer({ ...call, args }, { mbps: 940 }), seconds: 11.25 };
  });
  const parameters = {
    host: '192.0.2.7',
    lineRateMbps: 1000,
    repeats: 1,
    pings: 0,
    protocols: ['tcp'],
    directions: ['send'],
  };
  const { run } = await wholeRun({ experiment: link, clock, folder, parameters, tools });
  expect(run.rows.map(({ verdict }) => verdict)).toEqual(['INVALID']);
  expect(rowTexts(run)[0]?.[2]).toMatch(/iperf3 .*seconds.*5.*10/);
});

test.each<[string, ToolAnswer, RegExp]>([
  [
    'nonsense',
    { stdout: 'all is well\n', seconds: 1 },
    /^iperf3 failed: its output cannot be used \(no whole report, exit status 0\): all is well/,
  ],
  [
    'nothing',
    { stderr: 'iperf3: out of memory\n', exitCode: 1, seconds: 1 },
    /^iperf3 failed: .*no whole report, exit status 1\): iperf3: out of memory$/,
  ],
  [
    'its death',
    { endSignal: 'SIGKILL', exitCode: null, seconds: 3 },
    /^iperf3 failed: it was killed by SIGKILL$/,
  ],
  ['silence', { seconds: 1000 }, /^iperf3 did not end within 23 s and was stopped$/],
])(
  '%s in the place of the second report: the row has the first, and the run fails in iperf3’s words',
  async (_, answer, message) => {
    const { outcome, run, incidents } = await linked([{ mbps: 940 }, answer]);
    expect(outcome).toMatchObject({ state: 'failed', verdict: null, problem: { code: 'TOOL_FAILED' } });
    expect(outcome.reason).toMatch(message);
    expect(run).toMatchObject({ state: 'failed', verdict: null });
    expect(run.rows.map(({ label }) => label)).toEqual(['ping over the idle link', 'TCP, to the other end']);
    expect(rowTexts(run)[1]?.[2]).toMatch(/^1 of 2 repeats.*940\.0 Mb\/s/);
    expect(incidents).toMatchObject([['problem', expect.stringMatching(message)]]);
  },
);

test('a UDP client that waits for a lost datagram for ever is begun again, up to three times', async () => {
  const more = { protocols: ['udp'], directions: ['send'], repeats: 1, pings: 0 };
  const hung = { seconds: 1000 };
  const again = ['problem', 'iperf3 did not end, since its first datagram was lost, and was begun again'];
  const { run, incidents } = await linked([hung, { mbps: 950 }], more);
  expect(incidents).toEqual([again]);
  // 10 s and 12 s of patience before it.
  expect(secondsOf(run)).toEqual([[0, 32.25]]);
  const never = await linked([hung], more);
  expect(never.outcome).toMatchObject({
    state: 'failed',
    reason: 'iperf3 did not end within 22 s and was stopped',
  });
  expect(never.incidents.filter(([, text]) => text === again[1])).toHaveLength(2);
});

test('a server that is busy is asked again every 0.2 s, and given up after 25 times', async () => {
  const busy = {
    stdout: '{"start":{},"error":"error - the server is busy running a test. try again later"}',
    exitCode: 1,
  };
  const more = { protocols: ['tcp'], directions: ['send'], repeats: 1, pings: 0 };
  const { run, outcome } = await linked([busy, busy, { mbps: 940 }], more);
  expect(outcome.verdict).toBe('PASS');
  expect(secondsOf(run)).toEqual([[0, 11.65]]);
  const never = await linked([busy], more);
  expect(never.outcome).toMatchObject({ state: 'failed', reason: expect.stringContaining('server is busy') });
  const tests = never.calls.filter((call) => call.file === 'iperf3' && !asksVersion(call));
  expect(tests).toHaveLength(26);
});

test.each<[string, Pings, string | null, string]>([
  [
    'not permitted',
    { stderr: 'ping: socket: Operation not permitted\n', exitCode: 2 },
    'ping could not ask: ping: socket: Operation not permitted',
    'RTT not measured: ',
  ],
  [
    'of another kind that takes no such flags',
    { stderr: "ping: invalid option -- 'i'\nUsage: ping HOST\n", exitCode: 1 },
    "ping gave no totals (exit status 1): ping: invalid option -- 'i'",
    'RTT not measured: ',
  ],
  ['not there', { isMissing: true }, 'ping is not installed, or not in PATH', 'RTT not measured: '],
  ['killed', { endSignal: 'SIGKILL', exitCode: null }, 'ping was killed by SIGKILL', 'RTT not measured: '],
  ['not answered at all', [null, null, null], 'no echo was answered', 'RTT not measured: '],
  ['answered once', [null, 0.5, null], null, 'RTT 0.500 ms; 2 echoes not answered'],
])('ping that is %s: WARN with the reason, and all other rows', async (_, pings, whyNot, reason) => {
  const { run } = await linked([{ mbps: 940 }], { protocols: ['tcp'] }, { pings });
  const [ping] = run.rows;
  expect([ping?.verdict, rowTexts(run)[0]?.[2]]).toEqual(['WARN', expect.stringContaining(reason)]);
  expect(ping?.notMeasured['link.rttMs'] ?? null).toBe(whyNot);
  if (whyNot) expect(ping?.figures['link.rttMs']).toBeNull();
  expect(run.rows.map(({ verdict }) => verdict)).toEqual(['WARN', 'PASS', 'PASS']);
});

test('round trips while the wall clock was set, which would be too long or too short by as much: not measured', async () => {
  const stepped = async (steppedMs: number) =>
    rowTexts((await linked([{ mbps: 940 }], { protocols: ['tcp'] }, { steppedMs })).run)[0];
  expect(await stepped(-2000)).toEqual([
    ...['ping over the idle link', 'WARN'],
    'RTT not measured: this machine’s wall clock, by which ping measures, was set 2000.0 ms back',
  ]);
  expect(await stepped(4)).toEqual(['ping over the idle link', 'PASS', 'RTT 0.500 ms']);
});

test('Ctrl-C: the open row is reported with the repeats that it has', async () => {
  const { outcome, run } = await linked([{ mbps: 940 }], { repeats: 50, pings: 0 }, { stopAfterMs: 40_000 });
  expect(outcome).toMatchObject({ state: 'aborted', verdict: null, problem: { code: 'ABORTED' } });
  expect(rowTexts(run)).toEqual([
    [
      'TCP, to the other end',
      'PASS',
      '3 of 50 repeats were measured; 940.0 Mb/s, 94.0 % of the link’s 1000 Mb/s',
    ],
  ]);
  expect(secondsOf(run)).toEqual([[0, 40]]);
});

test('over loopback: a server of our own is started and stopped, and every row says that this is no link', async () => {
  const clock = new SimulatedClock();
  const tools = new ScriptedTools(clock, (call) => {
    if (call.file === 'ip') return ipAnswer(call, 'lo');
    return call.args.includes('-s')
      ? { line: 'Server listening on 5201', seconds: 1e6 }
      : iperfAnswer(call, { mbps: 30_000 });
  });
  const parameters = { repeats: 1, pings: 0, protocols: ['tcp'] };
  const { run } = await wholeRun({ experiment: link, clock, folder, parameters, tools });
  expect(run.rows.map(({ verdict }) => verdict)).toEqual(['WARN', 'WARN']);
  for (const [, , reason] of rowTexts(run)) expect(reason).toContain('over loopback on this one machine');
  expect(tools.calls.find(({ args }) => args.includes('-s'))?.signal?.aborted).toBe(true);
});

test('our own server is killed: the error says so first, then what the client said', async () => {
  const clock = new SimulatedClock();
  const tools = new ScriptedTools(clock, (call) => {
    if (call.file === 'ip') return ipAnswer(call, 'lo');
    return call.args.includes('-s')
      ? { line: 'Server listening on 5201', seconds: 3.1, endSignal: 'SIGKILL', exitCode: null }
      : { stdout: '{"start":{},"error":"unable to write to stream socket"}', exitCode: 1, seconds: 3 };
  });
  const parameters = { repeats: 1, pings: 0, protocols: ['tcp'] };
  const { outcome } = await wholeRun({ experiment: link, clock, folder, parameters, tools });
  expect(outcome).toMatchObject({
    ...{ state: 'failed', verdict: null, problem: { code: 'TOOL_FAILED' } },
    reason: 'our iperf3 server was killed (SIGKILL); iperf3 failed: unable to write to stream socket',
  });
});
