import { stop } from '../engine/actions';
import { shell } from '../engine/connection';
import { useConsole } from '../engine/console-store';
import { Form } from '../forms/form';
import { parametersOf } from '../forms/form-values';
import { useCheck } from '../forms/use-check';
import { Button } from '../shell/button';
import { ProgressBar } from '../shell/progress-bar';
import { texts } from '../texts';
import { checkIds } from './look';
import styles from './preflight-form.module.css';
import { checkPreflight, preflightFields, startPreflight, usePreflight } from './preflight-store';

const choosers = { movie: { label: texts.preflight.chooseMovie, choose: () => shell.chooseMovie() } };

/** What the next look is at, and its start. */
export function PreflightForm() {
  const values = usePreflight((state) => state.values);
  const look = usePreflight((state) => state.look);
  const mode = useConsole((view) => view.engine?.mode ?? 'idle');
  const isEngineThere = useConsole((view) => view.life.state === 'running');
  const { problem } = useCheck(checkPreflight, parametersOf(preflightFields, values));
  const isRunning = look?.isRunning === true;
  const reason = isEngineThere ? (mode === 'idle' ? null : texts.preflight.busy) : texts.preflight.notRunning;
  return (
    <section className={styles.panel} aria-label={texts.preflight.form}>
      <p className={styles.purpose}>{texts.preflight.purpose}</p>
      {isRunning ? (
        <Looking done={Object.keys(look.lines).length} />
      ) : (
        <>
          <Button isPrimary hindrance={reason ?? problem?.message ?? null} onPress={startPreflight}>
            {look ? texts.preflight.runAgain : texts.preflight.run}
          </Button>
          {reason && <p className={styles.hint}>{reason}</p>}
        </>
      )}
      <Form
        label={texts.preflight.form}
        fields={preflightFields}
        {...{ values, problem, choosers }}
        isDisabled={isRunning}
        onChange={(changed) => usePreflight.setState({ values: changed })}
      />
    </section>
  );
}

function Looking({ done }: { done: number }) {
  const words = texts.preflight.looking(Math.min(done + 1, checkIds.length), checkIds.length);
  return (
    <div className={styles.looking} data-testid="preflight-progress">
      <p>{words}</p>
      <ProgressBar label={words} done={done} total={checkIds.length} />
      <Button size="small" keys="Escape" keyLabel="Esc" onPress={stop}>
        {texts.actions.stop}
      </Button>
    </div>
  );
}
