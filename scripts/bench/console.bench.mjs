import { setUp } from '../setup/index.mjs';
import { withConsole } from './console/console-program.mjs';
import { figuresOfHour, hourFigures, hourOrder } from './console/hour-figures.mjs';
import { figure, median } from './figures.mjs';

export const area = 'console';

const starts = 7;
const lookSeconds = 12;
const barePeer = 'bare page: canvases, uPlot and text, without React';
const emptyPeer = 'Electron with one page that says two words';
const maxStartSeconds = 2;
const maxScriptMs = 4;
const unit = 'ms';

const frameFigures = [
  { id: 'console.script-per-frame-mean', unit, of: ({ all }) => all.scriptMs.mean, atMost: maxScriptMs },
  { id: 'console.script-per-frame-p99', unit, of: ({ all }) => all.scriptMs.p99 },
  { id: 'console.script-per-frame-max', unit, of: ({ all }) => all.scriptMs.max },
  { id: 'console.script-cpu-per-frame-mean', unit, of: ({ all }) => all.scriptCpuMs.mean },
  { id: 'console.main-thread-busy', unit: '%', of: ({ all }) => all.busyPercent },
  { id: 'console.long-tasks', unit: 'tasks', of: ({ all }) => all.longTasks, atMost: 0 },
  { id: 'console.longest-task', unit, of: ({ all }) => all.longestTaskMs },
  { id: 'console.script-charts', unit, of: ({ charts }) => charts.scriptMs.mean },
  { id: 'console.script-strips', unit, of: ({ strips }) => strips.scriptMs.mean },
  { id: 'console.script-table', unit, of: ({ table }) => table.scriptMs.mean },
  { id: 'console.script-previews', unit, of: ({ previews }) => previews.scriptMs.mean },
  { id: 'console.long-tasks-history', unit: 'tasks', of: ({ history }) => history.longTasks },
  { id: 'console.longest-task-history', unit, of: ({ history }) => history.longestTaskMs },
];

/** The screen NMOS with 2,500 × 2,500 crosspoints. */
const nmosFigures = [
  {
    id: 'console.nmos-scroll-script-mean',
    unit,
    of: ({ scroll }) => scroll.scriptMs.mean,
    atMost: maxScriptMs,
  },
  {
    id: 'console.nmos-scroll-script-p99',
    unit,
    of: ({ scroll }) => scroll.scriptMs.p99,
    atMost: maxScriptMs,
  },
  { id: 'console.nmos-scroll-script-cpu-p99', unit, of: ({ scroll }) => scroll.scriptCpuMs.p99 },
  { id: 'console.nmos-scroll-script-max', unit, of: ({ scroll }) => scroll.scriptMs.max },
  { id: 'console.nmos-scroll-busy', unit: '%', of: ({ scroll }) => scroll.busyPercent },
  { id: 'console.nmos-fill-longest-task', unit, of: ({ fill }) => fill.longestTaskMs },
];

/** What the window costs while 16 streams run with an hour behind them, and how soon it is there. */
export async function run() {
  const { electron } = await setUp(['bench', 'console']);
  return withConsole(electron.executable, async (measure) => [
    ...(await measuredOr([{ id: 'console.start', unit: 's' }], () => startFigures(measure))),
    ...(await measuredOr(frameFigures, () => figuresOfFrames(measure))),
    ...(await measuredOr(nmosFigures, () => figuresOfNmos(measure))),
    ...(await measuredOr(hourFigures, async () => figuresOfHour(await measure(hourOrder)))),
  ]);
}

/** Ours and the peer take turns. */
async function startFigures(measure) {
  const [ours, peers] = [[], []];
  for (let start = 0; start < starts; start++) {
    ours.push((await measure({ measure: 'start' })).seconds);
    peers.push((await measure({ measure: 'start', isBare: true })).seconds);
  }
  const [value, peerValue] = [median(ours), median(peers)];
  const measured = { value, peer: emptyPeer, peerValue, ratio: value / peerValue, atMost: maxStartSeconds };
  return [figure({ id: 'console.start', unit: 's', ...measured })];
}

async function figuresOfFrames(measure) {
  const order = { measure: 'frames', seconds: lookSeconds };
  const ours = await measure(order);
  const bare = await measure({ ...order, isBare: true });
  return frameFigures.map(({ of, ...named }) => {
    const [value, peerValue] = [of(ours), of(bare)];
    const ratio = peerValue > 0 ? value / peerValue : null;
    return figure({ ...named, value, peer: barePeer, peerValue, ratio });
  });
}

async function figuresOfNmos(measure) {
  const measured = await measure({ measure: 'nmos', seconds: lookSeconds });
  return nmosFigures.map(({ of, ...named }) => figure({ ...named, value: of(measured) }));
}

async function measuredOr(figures, action) {
  try {
    return await action();
  } catch (error) {
    return figures.map(({ id, unit, atMost }) => figure({ id, unit, atMost, notMeasured: error.message }));
  }
}
