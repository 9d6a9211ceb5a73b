import type { Fact, FactData } from './fact';

/** A part of a fact that another fact of the same reason says too. */
interface Repeated {
  code: string;
  /** What is left out; absent: the whole fact. */
  part?: string;
  saidBy: string;
  /** Default: wherever the other one stands. */
  isSame?(data: FactData, other: FactData): boolean;
}

/** Of a run whose process failed: how it died says it. */
const failures = ['scale-failed', 'pacer-failed', 'fan-out-failed'];

const repeated: readonly Repeated[] = [
  ...failures.map(
    (code): Repeated => ({
      ...{ code, saidBy: 'helper-died' },
      isSame: ({ why }, { helper, how }) => how !== undefined && why === `The ${helper} ${how}`,
    }),
  ),
  {
    ...{ code: 'process-died', saidBy: 'process-lost' },
    isSame: ({ role, number, machine }, lost) =>
      lost.role === undefined && lost.machine !== undefined
        ? machine === lost.machine
        : role === lost.role && number === lost.number && machine === lost.machine,
  },
  {
    ...{ code: 'pacing-late', part: 'frames', saidBy: 'frames-missed' },
    isSame: ({ frames }, { frames: missed }) => frames === missed,
  },
  {
    ...{ code: 'fetched-late', part: 'frames', saidBy: 'frames-lost' },
    isSame: ({ frames }, { receiverQueue }) => frames === receiverQueue,
  },
  {
    ...{ code: 'frames-missed', part: 'othersPercent', saidBy: 'others-busy' },
    // Those of another machine, or of another time, are another figure.
    isSame: ({ othersPercent, isGpu }, other) =>
      isGpu === other.isGpu && Math.round(Number(othersPercent)) === Math.round(Number(other.percent)),
  },
];

/** A reason that says each thing once. */
export function saidOnce(facts: readonly Fact[]): Fact[] {
  return facts.flatMap((fact) => {
    const said = repeated.filter(
      ({ code, saidBy, isSame = () => true }) =>
        code === fact.code &&
        facts.some(
          ({ code, data }) => code === saidBy && isOfSameStream(fact.data, data) && isSame(fact.data, data),
        ),
    );
    if (said.length === 0) return fact;
    if (said.some(({ part }) => part === undefined)) return [];
    const parts = said.map(({ part }) => part);
    const left = Object.entries(fact.data).filter(([name]) => !parts.includes(name));
    return { ...fact, data: Object.fromEntries(left) };
  });
}

/** What is said of a machine is of no stream. */
function isOfSameStream(one: FactData, { stream }: FactData): boolean {
  return stream === undefined || stream === one.stream;
}
