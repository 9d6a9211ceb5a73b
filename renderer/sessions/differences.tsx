import { type Comparison, namesNotRecorded, notRecordedText } from '../../app/protocol/history';
import table from '../report/plain-table.module.css';
import { Fold } from '../shell/fold';
import { texts } from '../texts';
import { lookOf } from './run-looks';

const { sessions } = texts;

/** How many are shown at first: the figures follow below them. */
const mostShown = 6;

/** What was not the same when the runs began. */
export function Differences({ comparison }: { comparison: Comparison }) {
  const { length } = comparison.differences;
  const note = length > mostShown ? sessions.changedCount(length) : undefined;
  return (
    <>
      {length === 0 ? (
        <p>{sessions.noDifference}</p>
      ) : (
        <Fold title={sessions.changedTitle} note={note} startsOpen={length <= mostShown}>
          <DifferencesTable comparison={comparison} />
        </Fold>
      )}
      {namesNotRecorded(comparison.notRecorded).map(({ runs, names }) => (
        <p key={runs.join()}>
          {sessions.notRecordedIn(runs.map((run) => lookOf(run).letter).join(', '), names.join('; '))}
        </p>
      ))}
    </>
  );
}

function DifferencesTable({ comparison: { differences, runs } }: { comparison: Comparison }) {
  return (
    <table className={table.table} data-testid="differences">
      <thead>
        <tr>
          <th scope="col">{sessions.setting}</th>
          {runs.map((_, run) => (
            <th key={lookOf(run).letter} scope="col">
              {lookOf(run).letter}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {differences.map(({ of, path, name, values }) => (
          <tr key={`${of} ${path}`}>
            <th scope="row">{name}</th>
            {values.map((value, run) => (
              <td key={lookOf(run).letter}>{value || notRecordedText}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
