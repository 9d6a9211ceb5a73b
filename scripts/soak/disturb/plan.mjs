import { Random } from './random.mjs';

/** What is to be done to each run, from the seed alone. Who is hit is known only when the moment has come. */

const stopSeconds = [0.2, 0.7, 1.2, 3];
const controlShare = 1 / 3;
const twoShare = 0.25;

/** The runs of a seed without an end: each experiment in turn, in a new order each time. */
export function* plannedRuns(seed, experiments) {
  for (let number = 1; ; number++) {
    const round = Math.floor((number - 1) / experiments.length);
    const experiment = shuffled(experiments, new Random(seed + round))[(number - 1) % experiments.length];
    yield planOf(seed, number, experiment);
  }
}

/** The plan of one run depends on its number, so that it can be repeated alone. */
export function planOf(seed, number, experiment) {
  const random = new Random(seed * 1000 + number);
  const isControl = random.next() < controlShare;
  const count = random.next() < twoShare ? 2 : 1;
  const first = random.within(0.5, experiment.seconds - 1);
  const moments = [first, first + random.within(0, 1)];
  const disturbances = moments.map((atSeconds) => ({ atSeconds, ...disturbance(random) }));
  return { number, experiment, disturbances: isControl ? [] : disturbances.slice(0, count) };
}

/** Of the time that a run takes. */
const middle = 0.55;
const earlyMoment = 0.1;

/** Each process alone: stopped once, in the middle of what is measured. */
export function stopPlans(experiments) {
  return plansOf(experiments, [middle], [{ kind: 'stop', seconds: 1.2 }]);
}

/**
 * Each process alone, in every way, near the beginning, in the middle and near the end; hogs, which hit all of them, once each; and
 * the pairs. The seed shuffles them, so that a matrix that is cut short has tried some of everything.
 */
export function matrixPlans(seed, experiments) {
  const moments = [0.25, middle, 0.85];
  const ways = [...[0.7, 1.2, 3].map((seconds) => ({ kind: 'stop', seconds })), { kind: 'kill' }];
  const hogs = [false, true].map((isRealTime) => ({ kind: 'hog', processes: 2, seconds: 2, isRealTime }));
  const all = [
    ...plansOf(experiments, moments, ways),
    ...plansOf(
      experiments.map((experiment) => ({ ...experiment, roles: ['every process'] })),
      moments,
      hogs,
    ),
    ...pairPlans(experiments),
  ];
  return shuffled(all, new Random(seed));
}

/** Two at once: what each of them makes of a row alone must hold beside the other. */
const pairs = [
  ['stream-load', 'engine', 'sending'],
  ['stream-load', 'engine', 'receiving'],
  ['stream-load', 'sending', 'receiving'],
  ['send and watch', 'receiving', 'remote sending'],
  ['send and watch', 'engine', 'remote sending'],
  ['link by TCP', 'engine', 'iperf3'],
  ['storage', 'engine', 'fio'],
  ['pacing', 'pacer that sends', 'pacer that receives'],
  ['nmos-scale', 'registry', 'nodes'],
  ['nmos-scale', 'nodes', 'controller'],
];

function pairPlans(experiments) {
  return pairs.flatMap(([id, ...roles]) =>
    experiments
      .filter((experiment) => experiment.id === id)
      .map((experiment) => ({
        experiment,
        disturbances: roles.map((role) => ({
          ...{ kind: 'stop', seconds: 1.2, role, atSeconds: middle * experiment.seconds },
        })),
      })),
  );
}

function momentOf({ early = [] }, role, moment) {
  return early.includes(role) ? earlyMoment : moment;
}

function plansOf(experiments, moments, ways) {
  return experiments.flatMap((experiment) =>
    experiment.roles.flatMap((role) =>
      ways.flatMap((way) =>
        moments.map((moment) => ({
          experiment,
          disturbances: [
            { ...way, role, atSeconds: momentOf(experiment, role, moment) * experiment.seconds },
          ],
        })),
      ),
    ),
  );
}

/** `share` chooses among the processes that are there. */
function disturbance(random) {
  const [kind, share] = [random.next(), random.next()];
  const seconds = random.pick(stopSeconds);
  const hogSeconds = random.within(1, 3);
  const processes = random.pick([1, 2]);
  const isRealTime = random.next() < 0.5;
  if (kind < 0.62) return { kind: 'stop', share, seconds };
  if (kind < 0.76) return { kind: 'kill', share };
  return { kind: 'hog', processes, seconds: hogSeconds, isRealTime };
}

function shuffled(values, random) {
  return values
    .map((value) => ({ value, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
