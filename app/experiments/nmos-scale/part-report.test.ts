import { expect, test } from 'vitest';
import { scaleContradictions } from './contradictions';
import { type ShareReport, wholeReport } from './part-report';
import { madeUpPart, madeUpReport } from './scale-rows.fixture';

const registry = 'http://192.0.2.7:8010';

/** Two of four nodes each, those of the second machine from half a second later on. */
function shareOf(
  machine: string,
  sinceNs: number,
  seconds: number[],
  more: Partial<ShareReport> = {},
): ShareReport {
  const { figures } = madeUpReport(2, { byRegistry: { [registry]: 2 } });
  const stall = { standstillMs: seconds.length, standstillPercent: 0 };
  return {
    ...{ machine, nodes: 2, figures, registrations: { sinceNs, seconds }, recovery: null, ...stall },
    ...{ lines: ['late'], ...more },
  };
}

test('of several machines counts are sums, times are of all nodes from the first start on, and percentiles the highest', () => {
  const slow = { count: 3, p50Ms: 1, p99Ms: 40, maxMs: 50 };
  const first = shareOf('render-1', 8e9, [0.1, 0.9]);
  const { figures: made } = shareOf('display-1', 0, []);
  const second = shareOf('display-1', 8.5e9, [0.2, 0.3], {
    figures: { ...made, heartbeat: slow, heartbeatsMissed: 2, missedBy: { none: 2 } },
    recovery: { nodes: 2, back: 1, comings: { sinceNs: 20e9, seconds: [1] } },
  });
  const { figures, curve, recovery, stalls, lines } = wholeReport([first, second]);
  expect(figures).toMatchObject({
    ...{ nodes: 4, registered: 4, heartbeatsMissed: 2, missedBy: { none: 2 }, byRegistry: { [registry]: 4 } },
    answers: { registration: { '201': 24 }, heartbeat: { '200': 12 } },
    heartbeat: { count: 9, p50Ms: 1.5, p99Ms: 40, maxMs: 50 },
    times: { firstSeconds: 0.1, p50Seconds: 0.7, p99Seconds: 0.9, lastSeconds: 0.9 },
  });
  expect(curve.map(([second, nodes]) => [Number(second.toFixed(3)), nodes])).toEqual([
    ...[
      [0.1, 1],
      [0.7, 2],
      [0.8, 3],
      [0.9, 4],
    ],
  ]);
  expect(recovery).toMatchObject({ nodes: 2, back: 1, times: { lastSeconds: 1 } });
  expect(stalls).toMatchObject([{ machine: 'render-1' }, { machine: 'display-1' }]);
  expect(lines).toEqual(['render-1: late', 'display-1: late']);
});

test.each<[string, Partial<ShareReport>, RegExp]>([
  ['more nodes than it was given', { nodes: 1 }, /2 on render-1.*1 asked for there/],
  [
    'nodes that never came',
    { registrations: { sinceNs: 0, seconds: [1] } },
    /2 registered on render-1.*1 that/,
  ],
])('what a machine says of %s contradicts itself by its name', (_, more, words) => {
  const shares = [shareOf('render-1', 0, [1, 2], more)];
  const report = wholeReport(shares);
  const counted = { ours: 12, leftOver: 0, others: 0 };
  const facts = scaleContradictions(madeUpPart({ report, counted }));
  expect(facts.map(({ data }) => `${data.one}, ${data.other}`).join('; ')).toMatch(words);
});
