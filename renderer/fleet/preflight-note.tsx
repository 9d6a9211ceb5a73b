import type { MachinePreflight } from '../../app/protocol/archive';
import { showInSessions } from '../experiments/experiment-actions';
import { dateTime } from '../format';
import { Button } from '../shell/button';
import { CommandLine } from '../shell/command-line';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import styles from './preflight-note.module.css';

const words = texts.fleet.preflight;

/** What the newest preflight of a machine found, at its worst. */
export function PreflightNote({ preflight }: { preflight: MachinePreflight | undefined }) {
  if (!preflight) return <p className={styles.soft}>{words.never}</p>;
  const { verdict, worst, run, startedAt } = preflight;
  return (
    <div className={styles.note} data-testid="preflight-note" data-verdict={verdict}>
      <p className={styles.found}>
        <VerdictMark verdict={verdict} />
        <span>{worstText(preflight)}</span>
      </p>
      {worst && worst.advice !== '' && <p className={styles.soft}>{worst.advice}</p>}
      {worst && worst.command !== '' && (
        <CommandLine text={worst.command} help={texts.preflight.commandHelp} />
      )}
      <p className={styles.when}>
        <span>{texts.preflight.lookedAt(dateTime(startedAt))}</span>
        <Button size="small" onPress={() => showInSessions(run)}>
          {words.all}
        </Button>
      </p>
    </div>
  );
}

/** On one line. */
export function worstText({ worst, isWhole, checks }: MachinePreflight): string {
  const found = worst && `${worst.label}: ${worst.found}`;
  if (isWhole) return found ?? words.allWell(checks);
  return [words.stopped(checks), found].filter(Boolean).join(' ');
}
