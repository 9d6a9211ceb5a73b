import type { ReportData } from '../../app/protocol/report';
import { clockTime, timeZone } from '../format';
import { texts } from '../texts';
import table from './plain-table.module.css';
import styles from './report.module.css';

/** What an operator or the run itself wrote down, by its time. */
export function Notes({ notes }: Pick<ReportData, 'notes'>) {
  return (
    <table className={table.table} data-testid="notes">
      <tbody>
        {notes.map(({ at, kind, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same may happen twice at once, and the list only grows.
          <tr key={index}>
            <td className={styles.time} title={at}>
              {clockTime(at)} {timeZone}
            </td>
            <td className={styles.kindOf}>{texts.report.kindOf(kind)}</td>
            <td>{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Pictures({ pictures, picturesLeftOut }: Pick<ReportData, 'pictures' | 'picturesLeftOut'>) {
  return (
    <>
      <div className={styles.pictures}>
        {pictures.map(({ name, caption, dataUrl }) => (
          <figure key={name} className={styles.picture}>
            <img src={dataUrl} alt={caption || name} />
            <figcaption className={styles.note}>{caption ? `${caption} (${name})` : name}</figcaption>
          </figure>
        ))}
      </div>
      {picturesLeftOut.map(({ name, reason }) => (
        <p key={name} className={styles.note}>
          {texts.report.pictureLeftOut(name, reason)}
        </p>
      ))}
    </>
  );
}
