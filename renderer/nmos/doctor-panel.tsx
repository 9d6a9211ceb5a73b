import type { NmosExamination } from '../../app/protocol/nmos';
import { timeOfDay, timeZone } from '../format';
import { Field } from '../forms/field';
import { SubmitButton } from '../shell/button';
import { ScrollRoom } from '../shell/scroll-room';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import styles from './doctor-panel.module.css';
import { examineNetwork } from './nmos-actions';
import { useNmos } from './nmos-store';

const { nmos } = texts;
const levelMarks = { problem: 'FAIL', warning: 'WARN' } as const;

/** What `whiteline nmos doctor` says, in the window. */
export function DoctorPanel() {
  const examination = useNmos((state) => state.view?.examination ?? null);
  const isPaused = useNmos((state) => state.view?.isPaused !== false);
  return (
    <section className={styles.doctor} aria-label={nmos.parts.doctor}>
      <h2 className={styles.title}>{nmos.doctor}</h2>
      <p className={styles.soft}>{nmos.doctorText}</p>
      <Ask isDisabled={isPaused || examination?.isRunning === true} isAgain={examination !== null} />
      {examination && <Found examination={examination} />}
    </section>
  );
}

function Ask({ isDisabled, isAgain }: { isDisabled: boolean; isAgain: boolean }) {
  const { dnsServer, domain, problems } = useNmos();
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isDisabled) void examineNetwork();
      }}
    >
      <Field
        label={nmos.dnsServer}
        value={dnsServer}
        hint={nmos.dnsServerHint}
        problem={problems.dnsServer}
        onChange={(typed) => useNmos.setState({ dnsServer: typed, problems: {} })}
      />
      <Field
        label={nmos.domain}
        value={domain}
        hint={nmos.domainHint}
        problem={problems.domain}
        onChange={(typed) => useNmos.setState({ domain: typed, problems: {} })}
      />
      <SubmitButton isDisabled={isDisabled}>{isAgain ? nmos.examineAgain : nmos.examine}</SubmitButton>
    </form>
  );
}

function Found({ examination }: { examination: NmosExamination }) {
  const { isRunning, startedAt, answering, findings, problem } = examination;
  if (isRunning) return <p role="status">{nmos.examining}</p>;
  return (
    <ScrollRoom className={styles.findings} label={nmos.doctor} testId="nmos-findings">
      <p className={styles.soft}>{nmos.examined(`${timeOfDay(startedAt)} ${timeZone}`)}</p>
      {problem && (
        <p className={styles.finding}>
          <VerdictMark verdict="FAIL" word={nmos.levels.problem} />
          <span>{[problem.message, problem.remedy].filter(Boolean).join('. ')}</span>
        </p>
      )}
      {answering.map((api) => (
        <p key={`${api.name} ${api.url}`} className={styles.finding}>
          <VerdictMark verdict="PASS" word={nmos.levels.ok} />
          <span>{answerWords(api)}</span>
        </p>
      ))}
      {findings.map(({ level, text, remedy }, index) => (
        <div key={text} className={styles.finding} data-testid="nmos-finding">
          <VerdictMark verdict={levelMarks[level]} word={nmos.levels[level]} />
          <div>
            <p>{text}</p>
            {/* What to do about several in a row stands after the last of them. */}
            {remedy !== findings[index + 1]?.remedy && <p className={styles.remedy}>{remedy}</p>}
          </div>
        </div>
      ))}
      {!problem && findings.length === 0 && <p className={styles.title}>{nmos.healthy}</p>}
    </ScrollRoom>
  );
}

function answerWords(api: NmosExamination['answering'][number]): string {
  const { name, url, versions, foundBy, heartbeatSeconds } = api;
  const words = nmos.answering(nmos.apis[name], url, versions.join(', '), foundBy.join(nmos.and));
  return heartbeatSeconds === null ? words : `${words}, ${nmos.heartbeat(heartbeatSeconds)}`;
}
