import type { OpenedRun } from '../../app/protocol/archive';
import { Notes, Pictures } from '../report/notes';
import { Section } from '../report/sections';
import { texts } from '../texts';
import { RunEvents } from './run-events';
import styles from './run-notes.module.css';

const { sessions } = texts;

/** What was written down, what happened, and the pictures of it. */
export function RunNotes({ opened }: { opened: OpenedRun }) {
  const { notes, pictures, picturesLeftOut } = opened;
  const hasPictures = pictures.length + picturesLeftOut.length > 0;
  return (
    <>
      <Section title={sessions.notes}>
        {notes.length > 0 ? <Notes notes={notes} /> : <p className={styles.none}>{sessions.noNotes}</p>}
      </Section>
      <Section title={texts.report.pictures}>
        {hasPictures ? (
          <Pictures pictures={pictures} picturesLeftOut={picturesLeftOut} />
        ) : (
          <p className={styles.none}>{sessions.noPictures}</p>
        )}
      </Section>
      <Section title={sessions.events}>
        <RunEvents folder={opened.summary.folder} />
      </Section>
    </>
  );
}
