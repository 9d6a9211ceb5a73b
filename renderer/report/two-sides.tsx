import { machinesOf } from '../../app/experiments/tested';
import { metricOf } from '../../app/facts/metrics/registry';
import { isOfStreams, numberOf } from '../../app/facts/row-figures';
import type { Run } from '../../app/facts/run';
import { sentName, streamsOfRun, type TwoSidesOfTest } from '../../app/facts/two-sides';
import { worseVerdict } from '../../app/facts/verdict';
import { parseFaults } from '../../app/protocol/faults';
import { framesPerSecond, parseFormat } from '../../app/protocol/format';
import { clockTime, valueFigure } from '../format';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import table from './plain-table.module.css';
import styles from './report.module.css';

const words = texts.report.sides;

/** What the test came to: what was received first, for that is what a test is made for, unless the sender decided the verdict. */
export function sentenceOf({ sent, received }: TwoSidesOfTest): string {
  const sides = [`${words.received}: ${received.reason}`, `${words.sent}: ${sent.reason}`];
  const [of, other] = [received.verdict ?? 'PASS', sent.verdict ?? 'PASS'];
  return (worseVerdict(of, other) === of ? sides : sides.reverse()).join('. ');
}

/** Where its two sides stand; empty if that is not recorded. */
export function setUpOf({ sent, received }: TwoSidesOfTest): string {
  const [senders, receivers] = [sent, received].map(({ environment }) => machinesOf(environment).join(', '));
  if (!senders || !receivers) return '';
  return senders === receivers ? words.onOneMachine(senders) : words.onMachines(senders, receivers);
}

/** When the receiver has to be there to see what the sender puts in; null: it puts in nothing. */
export function firstFaultText({ parameters: { inject, format } }: Run): string | null {
  if (typeof inject !== 'string' || typeof format !== 'string') return null;
  const faults = parseFaults(inject);
  if (faults.length === 0) return null;
  const frame = Math.min(...faults.map(({ first }) => first));
  return words.firstFault(frame, (frame / framesPerSecond(parseFormat(format).rate)).toFixed(1));
}

/** What the rows of a side measured, from the first to the last of them. */
interface Measured {
  from: string;
  to: string | null;
  seconds: number;
}

function measuredOf({ rows }: Run): Measured | null {
  const own = rows.filter((row) => isOfStreams(row) && row.subjects.length > 0);
  const [first, last] = [own[0], own.at(-1)];
  if (!first || !last) return null;
  const seconds = own.reduce((sum, row) => sum + (numberOf(row, 'measuredSeconds') ?? 0), 0);
  return { from: first.from, to: last.to, seconds };
}

/** Below this, two sides that count the same frames differ by where a frame period begins. */
const sameTimeMs = 100;

function isSameTime(one: Measured, other: Measured): boolean {
  if (one.to === null || other.to === null) return false;
  const apart = [
    [one.from, other.from],
    [one.to, other.to],
  ].map(([a = '', b = '']) => Math.abs(Date.parse(a) - Date.parse(b)));
  return Math.max(...apart) < sameTimeMs;
}

const sentFigures = ['framesSubmitted', 'framesSenderMissed'] as const;
const receivedFigures = ['framesReceived', 'framesDropped', 'framesMissing'] as const;
/** Lost for the verdict too, where there were any. */
const spoiltFigures = ['framesUndecodable', 'framesSpoilt'] as const;

/** What left one machine and what came to the other one, stream by stream, each over the time that its side measured. */
export function TwoSides({ sides: { sent, received, streams } }: { sides: TwoSidesOfTest }) {
  const sides = [
    { heading: words.sent, run: sent, figures: sentFigures.filter((id) => hasFigure(sent, id)) },
    {
      heading: words.received,
      run: received,
      figures: [
        ...receivedFigures.filter((id) => hasFigure(received, id)),
        ...spoiltFigures.filter((id) => streamsOfRun(received).some((stream) => numberOf(stream, id))),
      ],
    },
  ];
  const times = [sent, received].map(measuredOf);
  const [sentTime, receivedTime] = times;
  return (
    <>
      <table className={table.table} data-testid="two-sides">
        <thead>
          <tr>
            <th scope="col" rowSpan={2}>
              {texts.losses.stream}
            </th>
            {sides.map(({ heading, run, figures }, index) => (
              <th key={heading} scope="colgroup" colSpan={figures.length}>
                {heading} {run.verdict && <VerdictMark verdict={run.verdict} />}
                <TimeOfSide measured={times[index] ?? null} />
              </th>
            ))}
          </tr>
          <tr>
            {sides.flatMap(({ heading, figures }) =>
              figures.map((id) => (
                <th key={`${heading} ${id}`} scope="col" className={table.number}>
                  {metricOf(id).heading}
                </th>
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {streams.map((name) => (
            <tr key={name}>
              <th scope="row" className={styles.typed}>
                {name}
              </th>
              {sides.flatMap(({ heading, run, figures }) =>
                figures.map((id) => (
                  <td key={`${heading} ${id}`} className={table.number}>
                    {valueFigure(sumOf(run, name, id), metricOf(id))}
                  </td>
                )),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {sentTime && receivedTime && !isSameTime(sentTime, receivedTime) && (
        <p className={styles.note}>{words.otherTimes}</p>
      )}
    </>
  );
}

function TimeOfSide({ measured }: { measured: Measured | null }) {
  if (!measured) return null;
  const { from, to, seconds } = measured;
  return <div>{words.time(seconds, clockTime(from), to && clockTime(to))}</div>;
}

function hasFigure(run: Run, id: string): boolean {
  return streamsOfRun(run).some((stream) => numberOf(stream, id) !== null);
}

/** Over all rows; null as soon as one of them has no figure. */
function sumOf(run: Run, name: string, id: string): number | null {
  const figures = streamsOfRun(run)
    .filter((stream) => sentName(stream) === name)
    .map((stream) => numberOf(stream, id));
  return figures.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0);
}
