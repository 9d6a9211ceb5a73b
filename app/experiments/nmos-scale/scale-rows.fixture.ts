import type { RowFrame } from '../../engine/experiment/table-row';
import type { ClosedRow } from '../../facts/row';
import { defaultThresholds } from '../../protocol/thresholds';
import { loadSample, roleLoad } from '../../testing/load-sample';
import { frameOf } from '../../testing/made-up-rows';
import { changed, changes, controllerRow, filled } from './crosspoints';
import { type NmosScaleParameters, nmosScaleParameters } from './declaration';
import type { PartReadings } from './part-readings';
import { measuredRow } from './scale-rows';

/** Rows of `nmos-scale` as the experiment builds them, of measurements that are made up. */

type Report = PartReadings['report'];

export const madeUpScale = nmosScaleParameters.parse({
  ...{ registryCount: 2, breaksSeconds: [5], kill: true, crosspoints: 750 },
});

/** None stood still. */
const awakeProcesses = { standstills: [], fromNs: 0, others: [] };

const registries = ['http://127.0.0.1:40001', 'http://127.0.0.1:40002'];
const times = { firstSeconds: 0.25, p50Seconds: 0.9, p99Seconds: 1.6, lastSeconds: 1.75 };
/** Of 750. */
const curve: Report['curve'] = [
  [0.25, 1],
  [0.9, 375],
  [1.75, 750],
];

export const madeUpStall = { standstillMs: 42, standstillPercent: 0.5 };

/** All nodes are registered, and none missed a heartbeat. */
export function madeUpReport(nodes: number, changes: Partial<Report['figures']> = {}): Report {
  return {
    ...{ curve, recovery: null, stalls: [madeUpStall], lines: [], shares: [] },
    figures: {
      ...{ nodes, registered: nodes, failures: 0, refused: 0, heartbeatsMissed: 0, missedBy: {}, times },
      answers: { registration: { '201': 6 * nodes }, heartbeat: { '200': 3 * nodes }, removal: {} },
      heartbeat: { count: 3 * nodes, p50Ms: 1.5, p99Ms: 8.25, maxMs: 20 },
      byRegistry: { [registries[0] ?? '']: nodes / 2, [registries[1] ?? '']: nodes / 2 },
      ...changes,
    },
  };
}

export function madeUpPart(changes: Partial<PartReadings> = {}): PartReadings {
  const roles = { registry: roleLoad(30, 160, 'runtime'), nodes: roleLoad(20, 180, 'runtime') };
  return {
    ...{ part: 'registration', break: null, report: madeUpReport(750), registries },
    counted: { ours: 4500, leftOver: 0, others: 6 },
    ...{ isLate: false, busyBeforePercent: 3, replicationSeconds: 0.05, fewest: null },
    ...{ samples: [loadSample({ roles })], ...awakeProcesses },
    ...changes,
  };
}

export function madeUpScaleRow(
  index: number,
  changes: Partial<PartReadings>,
  parameters: NmosScaleParameters = madeUpScale,
): ClosedRow {
  return madeUpScaleRowOf(frameOf(index), changes, parameters);
}

export function madeUpScaleRowOf(
  frame: RowFrame & { index: number },
  changes: Partial<PartReadings>,
  parameters: NmosScaleParameters = madeUpScale,
): ClosedRow {
  return measuredRow(frame, parameters, defaultThresholds, madeUpPart(changes));
}

const fullMatrix = {
  ...{ senders: 750, receivers: 750, ownSenders: 750, ownReceivers: 750 },
  ...{ seconds: 0.125, messages: 2, bytes: 1_500_000, losses: 0, leftOut: 0, leftOutFirst: null },
};

/** A row of a controller that did not find all receivers. */
export function shortMatrix(frame: RowFrame & { index: number }): ClosedRow {
  const figures = { ...fullMatrix, ownReceivers: 749 };
  const part = filled(750, 'pages', { type: 'filled', figures, why: null, ...awake });
  return controllerRow(frame, part, { samples: [], ...awakeProcesses }, madeUpScale, defaultThresholds);
}

const awake = { standstillMs: 4, standstillPercent: 0 };

/** A matrix, and crosspoints that were changed in bulk. */
function madeUpControllerRows(): ClosedRow[] {
  const samples = [loadSample({ roles: { controller: roleLoad(10, 90, 'runtime') } })];
  const matrix = filled(750, 'subscriptions', { type: 'filled', figures: fullMatrix, why: null, ...awake });
  const crosspoints = changed({ tried: 750, wanted: 750 }, changes[2], {
    ...{ type: 'changed', why: null, ...awake },
    figures: {
      ...{ crosspoints: 750, failed: 0, firstProblem: null, seconds: 0.5, shownSeconds: 0.75 },
      ...{ p50Ms: 450, p99Ms: 490, maxMs: 495 },
    },
  });
  return [matrix, crosspoints].map((part, number) =>
    controllerRow(
      { ...frameOf(1 + number), index: 1 + number },
      part,
      { samples, ...awakeProcesses },
      madeUpScale,
      defaultThresholds,
    ),
  );
}

/** A run of 750 nodes at two registries, with a controller, a break after which some had been forgotten, and the end of one registry. */
export function madeUpScaleRows(): ClosedRow[] {
  const recovery = { nodes: 750, back: 750, times, curve };
  const afterBreak = madeUpReport(750, {
    ...{ failures: 1500, heartbeatsMissed: 762, missedBy: { none: 750, '404': 12 } },
    answers: { registration: { '201': 72 }, heartbeat: { '200': 738, '404': 12, none: 750 }, removal: {} },
  });
  const moved = madeUpReport(750, { byRegistry: { [registries[0] ?? '']: 750 }, failures: 375 });
  return [
    madeUpScaleRow(0, {}),
    ...madeUpControllerRows(),
    madeUpScaleRow(3, {
      ...{ part: 'break', break: { seconds: 5, by: 'link' } },
      report: { ...afterBreak, recovery },
    }),
    madeUpScaleRow(4, {
      ...{ part: 'registry killed', fewest: { resources: 4500, expected: 4500 }, replicationSeconds: null },
      report: { ...moved, recovery: { ...recovery, nodes: 375, back: 375 } },
    }),
  ];
}
