import { type PreflightCheckId, preflightLabels } from '../../app/experiments/preflight/labels';
import type { Verdict } from '../../app/facts/verdict';
import { timeOfDay, timeZone } from '../format';
import { CommandLine } from '../shell/command-line';
import { ScrollRoom } from '../shell/scroll-room';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import { countsOf, groups, type Line, type LineState, type Look, nextCheck } from './look';
import styles from './preflight-list.module.css';
import { usePreflight } from './preflight-store';

/** Shapes and colours are those of verdicts: what is unknown is neither good nor bad. */
const verdicts: Record<LineState, Verdict> = {
  ok: 'PASS',
  warning: 'WARN',
  problem: 'FAIL',
  unknown: 'INVALID',
};

/** Everything that the preflight checks, each with what was found and what to do about it. */
export function PreflightList() {
  const look = usePreflight((state) => state.look);
  const next = look ? nextCheck(look) : undefined;
  return (
    <ScrollRoom className={styles.list} label={texts.preflight.list}>
      <Summary look={look} isWhole={next === undefined} />
      {groups.map(({ id, checks }) => (
        <section key={id} aria-labelledby={`preflight-${id}`}>
          <h3 id={`preflight-${id}`} className={styles.group}>
            {texts.preflight.groups[id]}
          </h3>
          <ul className={styles.lines}>
            {checks.map((check) => (
              <CheckLine key={check} {...{ check, look }} isNext={check === next} />
            ))}
          </ul>
        </section>
      ))}
    </ScrollRoom>
  );
}

function Summary({ look, isWhole }: { look: Look | null; isWhole: boolean }) {
  if (!look) {
    return (
      <div className={styles.summary} data-testid="preflight-summary">
        <h2 className={styles.title}>{texts.preflight.never}</h2>
        <p className={styles.soft}>{texts.preflight.neverText}</p>
      </div>
    );
  }
  return (
    <div className={styles.summary} data-testid="preflight-summary" data-running={look.isRunning}>
      <div className={styles.counts}>
        {countsOf(look).map(({ state, count }) => (
          <VerdictMark key={state} verdict={verdicts[state]} word={texts.preflight.counts[state](count)} />
        ))}
      </div>
      <p className={styles.soft}>
        {look.startedAt && texts.preflight.lookedAt(`${timeOfDay(look.startedAt)} ${timeZone}`)}
        {!look.isRunning && !isWhole && `. ${texts.preflight.stopped}`}
      </p>
    </div>
  );
}

function CheckLine({ check, look, isNext }: { check: PreflightCheckId; look: Look | null; isNext: boolean }) {
  const line = look?.lines[check];
  return (
    <li className={styles.line} data-testid="preflight-line" data-check={check} data-state={line?.state}>
      <span className={styles.mark}>
        {line ? (
          <VerdictMark verdict={verdicts[line.state]} word={texts.preflight.states[line.state]} />
        ) : (
          <span className={styles.none} aria-hidden="true" />
        )}
      </span>
      <b className={styles.label}>{preflightLabels[check]}</b>
      {line ? <Found line={line} /> : <p className={styles.soft}>{waitingWord(look, isNext)}</p>}
    </li>
  );
}

function waitingWord(look: Look | null, isNext: boolean): string {
  if (!look) return texts.preflight.notYet;
  if (!look.isRunning) return texts.preflight.notLookedAt;
  return isNext ? texts.preflight.now : texts.preflight.next;
}

function Found({ line: { found, advice, command } }: { line: Line }) {
  return (
    <div className={styles.found}>
      <p>{found}</p>
      {advice && <p className={styles.advice}>{advice}</p>}
      {command && <CommandLine text={command} help={texts.preflight.commandHelp} />}
    </div>
  );
}
