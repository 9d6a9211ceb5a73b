import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Row } from '../../testing/named-rows';
import { RemoteSender, type SenderKind } from '../../testing/remote-sender';
import { SimulatedBench, sumsOf } from '../../testing/simulated-bench';
import { temporaryFolder } from '../../testing/temporary-folder';

/** Whole live runs over made-up records, from the operator's commands to the run's folder and its report. */

const folder = temporaryFolder();
let bench: SimulatedBench;
let sender: RemoteSender | null = null;
beforeEach(async () => {
  bench = await SimulatedBench.start(folder);
});
afterEach(async () => {
  sender?.close();
  await bench.close();
});

const source = { source: 'white-line', format: '640x360@30', pixelFormat: 'uyvy' as const };
const add = () => bench.execute({ name: 'addStream', parameters: source });
const stop = () => bench.execute({ name: 'stop' });
const pass = (seconds: number) => bench.clock.pass(seconds * 1000);

describe('streams of this console', () => {
  test('come and go: each change ends a row, and what was lost is in one of them', async () => {
    await add();
    await pass(8);
    await add();
    await pass(8);
    const lost = bench.hosts.stream(2).lose(3);
    await pass(2);
    await bench.execute({ name: 'removeStream', streamId: 2 });
    await pass(6);
    await stop();
    const { rows, state, verdict, reason } = bench.readRun();
    expect(rows.map((row) => [row.streams, row.verdict, ...sumsOf(row)])).toEqual([
      [0, 'PASS', 0, 0, 0, 0, 0],
      [1, 'PASS', 172, 0, 172, 172, 0],
      [2, 'FAIL', 464, 0, 464, 461, 3],
      [1, 'PASS', 179, 0, 179, 179, 0],
    ]);
    expect(rows[2]?.perStream.map(({ droppedFrames }) => droppedFrames)).toEqual([[], lost]);
    expect([state, verdict, reason]).toEqual([
      'finished',
      'FAIL',
      expect.stringMatching(
        /^row 2 \(2 streams\): Whiteline 2: 3 of 232 frames were dropped in transport .+; all rows: 3 frames lost$/,
      ),
    ]);
    expect(
      bench.events('stream-added', 'stream-removed').map(({ streamId, kind }) => [streamId, kind]),
    ).toEqual([
      [1, 'stream-added'],
      [2, 'stream-added'],
      [2, 'stream-removed'],
      [1, 'stream-removed'],
    ]);
    await bench.expectWhole();
  });

  test('go on over the death of the sending process: its rows are INVALID, and each frame of it counts once', async () => {
    await add();
    await pass(8);
    bench.hosts.die('sending');
    await pass(10);
    await stop();
    const { rows, verdict, reason } = bench.readRun();
    expect(rows.map((row) => [row.streams, row.verdict, row.label])).toEqual([
      [0, 'PASS', ''],
      [1, 'INVALID', ''],
      [1, 'INVALID', 'between rows'],
      [1, 'PASS', ''],
    ]);
    // From the last picture of the old one to the first one of the new: five periods, of whose four frames the old one had sent one.
    expect(sumsOf(rows[1] as Row)).toEqual([173, 0, 173, 172, 1]);
    const outages = rows.map(({ perStream }) => perStream[0]?.outages ?? []);
    expect(outages.map((all) => all.map(({ framesEstimated }) => framesEstimated))).toEqual([
      [],
      [],
      [3],
      [],
    ]);
    expect(((outages[2]?.[0]?.seconds ?? 0) * 30).toFixed(6)).toBe('5.000000');
    expect(rows.slice(1).map(({ perStream }) => perStream.map(({ name }) => name))).toEqual([
      ['Whiteline 1'],
      ['Whiteline 1'],
      ['Whiteline 1'],
    ]);
    expect([verdict, reason]).toEqual([
      'INVALID',
      expect.stringMatching(
        /^row 1 \(1 stream\): .+, not judged: .*our sending process was killed \(SIGKILL\); .*all rows: 1 frame lost, 1 outage of 0\.2 s, about 3 frames \(an estimate\)$/,
      ),
    ]);
    await bench.expectWhole();
  });
});

describe('a sender that is followed', () => {
  async function follow(kind: SenderKind): Promise<RemoteSender> {
    await bench.execute({ name: 'followSource', source: 'x' });
    sender = new RemoteSender(bench.clock, bench.hosts, { streamId: 1, sourceName: 'HOST (x)', kind });
    return sender;
  }

  test.each<SenderKind>(['coded', 'foreign'])(
    'that is started again after 7 s was away as long everywhere: 420 frames (%s)',
    async (kind) => {
      const remote = await follow(kind);
      await pass(8);
      remote.vanish();
      await pass(7);
      remote.restart();
      await pass(8);
      expect(bench.engine.state().streams[0]).toMatchObject({
        ...{ state: 'receiving', verdict: 'FAIL', framesInOutages: 420, lostTotal: 0 },
      });
      const again = 'x: pictures again after 7.0 s, about 420 frames at 60 fps (an estimate)';
      expect(bench.engine.state().alerts.map(({ message }) => message)).toEqual([again]);
      await stop();
      const { rows, verdict, reason } = bench.readRun();
      expect(rows.map((row) => [row.streams, row.verdict, row.label])).toEqual([
        [0, 'PASS', ''],
        [1, 'FAIL', ''],
        [1, 'PASS', ''],
      ]);
      const outages = rows.flatMap(({ perStream }) => perStream.flatMap((stream) => stream.outages ?? []));
      expect(outages.map(({ framesEstimated }) => framesEstimated)).toEqual([420]);
      // From the last picture to the first one after it: 421 periods.
      expect(((outages[0]?.seconds ?? 0) * 60).toFixed(6)).toBe('421.000000');
      const counted = rows.map(({ perStream }) => perStream[0]?.framesMissing ?? 0);
      expect(counted).toEqual([0, 0, 0]);
      expect([verdict, reason]).toEqual([
        'FAIL',
        expect.stringMatching(
          /^row 1 \(1 stream\): no new picture for 7\.0 s: about 420 frames at 60 fps \(an estimate\); .+; all rows: 1 outage of 7\.0 s, about 420 frames \(an estimate\)$/,
        ),
      ]);
      const said = bench.events('stream-recovered', 'sender-restarted').map(({ text }) => text);
      const restarted = kind === 'coded' ? 'its sender was started again' : 'pictures came again';
      expect(said.sort()).toEqual([`x: ${restarted}, 7.0 s after its last picture`, again].sort());
      await bench.expectWhole();
    },
  );
});
