import type { ReportData, ReportNote, ReportPicture } from '../../app/protocol/report';
import { clockTime, dateTime, timeZone } from '../format';
import { texts } from '../texts';
import table from './plain-table.module.css';
import styles from './report.module.css';

/** Which run something is of, in a report of several. */
type OfRun<Thing> = Thing & { run?: string };

/** What an operator or the run itself wrote down, by its time; of several runs with the day, and with the run. */
export function Notes({ notes }: { notes: readonly OfRun<ReportNote>[] }) {
  return (
    <table className={table.table} data-testid="notes">
      <tbody>
        {notes.map(({ at, kind, text, run }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same may happen twice at once, and the list only grows.
          <tr key={index}>
            <td className={styles.time} title={at}>
              {run ? dateTime(at, 'medium') : `${clockTime(at)} ${timeZone}`}
            </td>
            {run && <td className={styles.ofRun}>{run}</td>}
            <td className={styles.kindOf}>{texts.report.kindOf(kind)}</td>
            <td className={styles.typed}>{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface PicturesProps {
  pictures: readonly OfRun<ReportPicture>[];
  picturesLeftOut: readonly OfRun<ReportData['picturesLeftOut'][number]>[];
}

export function Pictures({ pictures, picturesLeftOut }: PicturesProps) {
  return (
    <>
      <div className={styles.pictures}>
        {pictures.map(({ name, caption, dataUrl, run }) => (
          <figure key={`${run} ${name}`} className={styles.picture}>
            <img src={dataUrl} alt={caption || name} />
            <figcaption className={styles.note}>
              {run && `${run}: `}
              {caption ? `${caption} (${name})` : name}
            </figcaption>
          </figure>
        ))}
      </div>
      {picturesLeftOut.map(({ name, reason, run }) => (
        <p key={`${run} ${name}`} className={styles.note}>
          {run && `${run}: `}
          {texts.report.pictureLeftOut(name, reason)}
        </p>
      ))}
    </>
  );
}
