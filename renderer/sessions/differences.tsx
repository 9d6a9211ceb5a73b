import type { Comparison } from '../../app/protocol/history';
import table from '../report/plain-table.module.css';
import { texts } from '../texts';
import { lookOf } from './run-looks';

const { sessions } = texts;

/** What was not the same when the runs began. */
export function Differences({ comparison: { differences, runs } }: { comparison: Comparison }) {
  if (differences.length === 0) return <p>{sessions.noDifference}</p>;
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
        {differences.map(({ of, path, values }) => (
          <tr key={`${of} ${path}`}>
            <th scope="row">
              {sessions.differencesOf[of]}: {path}
            </th>
            {values.map((value, run) => (
              <td key={lookOf(run).letter}>{value || texts.report.ofSession.notSaid[of]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
