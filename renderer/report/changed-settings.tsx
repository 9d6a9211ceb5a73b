import { notRecordedText, type SetDifference } from '../../app/protocol/history';
import { texts } from '../texts';
import table from './plain-table.module.css';
import styles from './report.module.css';
import { changedSettings } from './session-data';

const words = texts.report.ofSession;

interface Props {
  differences: readonly SetDifference[];
  /** Of the runs that the values are of, in their order. */
  numbers: readonly number[];
}

/** What was not the same in all runs: each value once, however many runs there are. */
export function ChangedSettings({ differences, numbers }: Props) {
  return (
    <table className={table.table} data-testid="changed-settings">
      <thead>
        <tr>
          <th scope="col">{words.setting}</th>
          <th scope="col">{words.value}</th>
          <th scope="col">{words.in}</th>
        </tr>
      </thead>
      {changedSettings(differences, numbers).map(({ of, path, name, values }) => (
        <tbody key={`${of} ${path}`}>
          {values.map(({ value, numbers: runs }, index) => (
            <tr key={value}>
              {index === 0 && (
                <th scope="rowgroup" rowSpan={values.length}>
                  {name}
                </th>
              )}
              <td className={styles.typed}>{value || notRecordedText}</td>
              <td>{words.runsOf(runs)}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}
