import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { limits, longestLabel } from './bounds';
import { Exposition } from './exposition';
import type { Facts } from './facts';
import { agentOnly, emptyFacts, fullFacts, machineOf, sampleOf, streamOf } from './facts.fixture';
import { exportedMetrics } from './metric-table';

/** Lines of values, by what they begin with. */
async function lines(facts: Facts, start = 'whiteline_', exposition = new Exposition()): Promise<string[]> {
  const text = await exposition.text(facts);
  return text.split('\n').filter((line) => line.startsWith(start));
}

const ended: Facts = {
  ...emptyFacts,
  run: { experiment: 'live', verdict: 'PASS', rowVerdicts: ['PASS'] },
};

test.each([
  ['console', fullFacts],
  ['agent', agentOnly],
  ['ended', ended],
])('the text of a program: %s', async (name, facts) => {
  const text = await new Exposition().text(facts);
  await expect(text.replaceAll(`"${hostname()}"`, '"HOST"')).toMatchFileSnapshot(`golden/${name}.txt`);
});

test('each value has exactly the labels of its metric, and each metric has a value in one of the texts', async () => {
  const all = [...(await lines(fullFacts)), ...(await lines(agentOnly)), ...(await lines(ended))];
  for (const { name, labels } of exportedMetrics) {
    const own = all.filter((line) => line.split(/[{ ]/)[0] === name);
    expect(own, name).not.toEqual([]);
    for (const line of own)
      expect([...line.matchAll(/(\w+)="/g)].map(([, label]) => label).sort()).toEqual([...labels].sort());
  }
});

test('what is not measured is absent: a stream and a machine of which nothing is known', async () => {
  const facts = {
    ...emptyFacts,
    streams: [streamOf({ framesPerSecond: 0 })],
    machines: [machineOf('render-1')],
  };
  expect((await lines(facts)).map((line) => line.split(/[{ ]/)[0])).toEqual([
    ...['whiteline_build_info', 'whiteline_streams'],
    ...['whiteline_truncated', 'whiteline_truncated', 'whiteline_truncated', 'whiteline_stream_state'],
  ]);
});

test('a stream with an end on a machine that is not heard has no figures of now', async () => {
  const view = { framesReceived: 90, deliveredFps: 30, lostNow: 0, state: 'receiving' } as const;
  const facts = { ...emptyFacts, streams: [streamOf(view, { isAway: true })] };
  const shown = await lines(facts, 'whiteline_stream_');
  expect(
    shown.filter((line) => !/nominal|corrected/.test(line)).map((line) => line.split(/[{ ]/)[0]),
  ).toEqual([...['whiteline_stream_frames_total', 'whiteline_stream_state']]);
  expect(shown.at(-1)).toContain('state="unreachable"} 1');
});

test('a measured 0 is 0, and what is no number is absent', async () => {
  const view = streamOf({ framesDropped: 0, lostNow: 0, deliveredFps: Number.NaN });
  const shown = await lines({ ...emptyFacts, streams: [view] }, 'whiteline_stream_');
  expect(
    shown.filter((line) => /dropped|lost_frames/.test(line)).map((line) => line.split(' ').at(-1)),
  ).toEqual(['0', '0', '0']);
  expect(shown.join()).not.toContain('received_frames');
});

test('counters never fall while a stream is counted, and less their corrections they are the figure', async () => {
  const exposition = new Exposition();
  const counting = {};
  const dropped = async (framesDropped: number | null, epoch = counting) => {
    const facts = { ...emptyFacts, counting: epoch, streams: [streamOf({ framesDropped })] };
    const shown = await lines(facts, 'whiteline_stream_frames', exposition);
    return shown.filter((line) => line.includes('"dropped"')).map((line) => Number(line.split(' ').at(-1)));
  };
  expect(await dropped(3)).toEqual([3, 0]);
  expect(await dropped(2)).toEqual([3, 1]);
  expect(await dropped(null)).toEqual([]);
  expect(await dropped(6)).toEqual([7, 1]);
  expect(await dropped(1, {})).toEqual([1, 0]);
});

test('more streams, machines and roles than the limits are counted, and not exported', async () => {
  const roles = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`role ${at}`, roleOf(at)]));
  const facts: Facts = {
    ...emptyFacts,
    streams: Array.from({ length: 300 }, (_, at) => streamOf({ id: at + 1 })),
    machines: Array.from({ length: 70 }, (_, at) => machineOf(`m${at}`, { sample: sampleOf({ roles }) })),
  };
  expect(await lines(facts, 'whiteline_truncated')).toEqual([
    'whiteline_truncated{kind="streams"} 44',
    'whiteline_truncated{kind="machines"} 6',
    `whiteline_truncated{kind="roles"} ${4 * limits.machines}`,
  ]);
  expect(await lines(facts, 'whiteline_streams ')).toEqual(['whiteline_streams 300']);
  expect(await lines(facts, 'whiteline_stream_state')).toHaveLength(limits.streams);
  expect(await lines(facts, 'whiteline_machine_cpu_ratio')).toHaveLength(limits.machines);
  expect(await lines(facts, 'whiteline_role_cpu_ratio')).toHaveLength(limits.machines * limits.roles);
});

function roleOf(cpuPercent: number) {
  return { cpuPercent, memoryMb: 1, stopped: false, parts: null };
}

test('the longest text has an end', async () => {
  const long = '\u0000"\\'.repeat(1000);
  const [measured] = fullFacts.streams;
  const roles = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`${at}${long}`, roleOf(1)]));
  const text = await new Exposition().text({
    ...fullFacts,
    streams: Array.from({ length: 1000 }, (_, id) =>
      streamOf({ ...measured?.view, id, name: long, sentFrom: long, receivedOn: long }),
    ),
    machines: Array.from({ length: 1000 }, (_, at) =>
      machineOf(`${long}${at}`, { id: String(at), version: long, sample: sampleOf({ roles }) }),
    ),
  });
  expect(Buffer.byteLength(text)).toBeLessThan(20e6);
});

test('names do nothing in the text: they stay on their line, are short, and no two series have the same labels', async () => {
  const name = `a"} 1\nwhiteline_streams 7\u202e${'x'.repeat(500)}`;
  const facts: Facts = {
    ...emptyFacts,
    streams: [streamOf({ name })],
    machines: [
      machineOf('twin', { sample: sampleOf() }),
      machineOf('twin', { id: 'a1', sample: sampleOf() }),
      machineOf('twin (a1)', { id: 'a2', sample: sampleOf() }),
      machineOf('r', {
        sample: sampleOf({ roles: { '\n': roleOf(1), '\\u000a': roleOf(2) } }),
      }),
    ],
  };
  const text = await new Exposition().text(facts);
  const values = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(values.filter((line) => line.startsWith('whiteline_streams'))).toEqual(['whiteline_streams 1']);
  const series = values.map((line) => line.slice(0, line.lastIndexOf(' ')));
  expect(new Set(series).size).toBe(series.length);
  const [, shown = ''] = /stream="((?:\\.|[^"])*)"/.exec(text) ?? [];
  expect(shown).toMatch(/^a\\"\} 1\\\\u000awhiteline_streams 7\\\\u202ex+…$/);
  expect(JSON.parse(`"${shown}"`)).toHaveLength(longestLabel);
  expect(await lines(facts, 'whiteline_machine_cpu_ratio')).toEqual([
    'whiteline_machine_cpu_ratio{machine="twin"} 0.2',
    'whiteline_machine_cpu_ratio{machine="twin (a1)"} 0.2',
    'whiteline_machine_cpu_ratio{machine="twin (a1) (a2)"} 0.2',
    'whiteline_machine_cpu_ratio{machine="r"} 0.2',
  ]);
});
