import { useCallback, useEffect, useId, useRef, useState } from 'react';
import type { ExperimentOffer } from '../../app/protocol/console';
import type { Problem } from '../../app/protocol/errors';
import { useConsole } from '../engine/console-store';
import { startHindrance } from '../engine/hindrances';
import { useInterfaces } from '../engine/interfaces';
import { useMachines, watchMachines } from '../engine/machines';
import { checkParameters } from '../engine/parameter-check';
import { Form } from '../forms/form';
import { type FormValues, isChanged, parametersOf, valuesOf } from '../forms/form-values';
import { ProfileChoice } from '../forms/profile-choice';
import { problemsByField, useCheck } from '../forms/use-check';
import { Button } from '../shell/button';
import { texts } from '../texts';
import { estimateOf, estimateText } from './estimate';
import { addToPlan, listExperiments, runExperiment } from './experiment-actions';
import styles from './experiment-detail.module.css';
import { changeDraft, choose, chooseProfile, fieldsOf, formOf, useExperiments } from './experiments-store';
import { choosersOf, hasInterface, offeredNames } from './pickers';
import { type PlanStep, withStepChanged } from './plan-draft';

const words = texts.experiments;

interface Props {
  offer: ExperimentOffer;
  /** Null: the experiment on its own. */
  step: PlanStep | null;
}

/** An experiment by its declaration: what it asks, what it needs, and the form of its parameters. */
export function ExperimentDetail({ offer, step }: Props) {
  const forms = useExperiments((state) => state.forms);
  const profile = useExperiments((state) => state.profiles[offer.id] ?? null);
  const fields = fieldsOf(offer);
  const values = step ? step.values : formOf(offer, forms);
  const parameters = parametersOf(fields, values);
  const check = useCallback((typed: Record<string, unknown>) => checkParameters(offer.id, typed), [offer.id]);
  const { names } = useMachines();
  const isRefused = useExperiments(({ refused }) => isOf(refused, offer, step));
  // What was refused is checked again: a file may be gone since it was typed.
  const { problem, isOfNow } = useCheck(check, parameters, [...names, isRefused]);
  const changed = fields.filter((field) => isChanged(field, values)).length;

  function change(next: FormValues): void {
    if (step) changeDraft((draft) => withStepChanged(draft, step.key, { values: next }));
    else useExperiments.setState({ forms: { ...forms, [offer.id]: next } });
  }

  useEffect(watchMachines, []);
  const interfaces = useInterfaces(hasInterface(fields));
  const [focused, setFocused] = useState<string | null>(null);
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isRefused || !isOfNow) return;
    element.current?.querySelector<HTMLElement>('[data-problem] :is(input, textarea)')?.focus();
    useExperiments.setState({ refused: null });
  }, [isRefused, isOfNow]);

  return (
    <section ref={element} className={styles.detail} aria-label={offer.title} data-testid="experiment-detail">
      <div className={styles.scroll}>
        <header className={styles.head}>
          <h2 className={styles.title}>{offer.title}</h2>
          {step && <StepHead step={step} offer={offer} />}
          <p>{offer.purpose}</p>
          <p className={styles.study}>
            {words.study}: {offer.study}
          </p>
        </header>
        <Requirements offer={offer} />
        <div className={styles.formHead}>
          <h3 className={styles.heading}>{words.parameters}</h3>
          {changed > 0 && (
            <>
              <span className={styles.soft}>{words.changed(changed)}</span>
              <Button size="small" onPress={() => change(valuesOf(fields))}>
                {words.resetAll}
              </Button>
            </>
          )}
          {!step && (
            <div className={styles.profile}>
              <ProfileChoice value={profile} onChange={(chosen) => chooseProfile(offer.id, chosen)} />
            </div>
          )}
        </div>
        <Form
          label={words.parameters}
          {...{ fields, values, problem }}
          offered={offeredNames(fields, names, interfaces)}
          choosers={choosersOf(fields, values)}
          onChange={change}
          onFocus={setFocused}
        />
      </div>
      <Foot
        {...{ offer, step, parameters, problem }}
        help={fields.find(({ name }) => name === focused)?.help ?? ''}
      />
    </section>
  );
}

function isOf(
  refused: ReturnType<typeof useExperiments.getState>['refused'],
  offer: ExperimentOffer,
  step: PlanStep | null,
): boolean {
  if (refused === null || 'runsOf' in refused) return false;
  return 'step' in refused ? refused.step === step?.key : !step && refused.experiment === offer.id;
}

function StepHead({ step, offer }: { step: PlanStep; offer: ExperimentOffer }) {
  const nameId = useId();
  const steps = useExperiments((state) => state.draft.steps);
  return (
    <div className={styles.step}>
      <b>{words.plan.stepOf(steps.indexOf(step), steps.length)}</b>
      <label htmlFor={nameId}>{words.plan.stepName}</label>
      <input
        id={nameId}
        value={step.name}
        placeholder={offer.title}
        maxLength={80}
        autoComplete="off"
        onChange={({ target }) =>
          changeDraft((draft) => withStepChanged(draft, step.key, { name: target.value }))
        }
      />
      <Button size="small" onPress={() => choose({ experiment: offer.id })}>
        {words.plan.backToExperiment}
      </Button>
    </div>
  );
}

function Requirements({ offer: { requirements } }: { offer: ExperimentOffer }) {
  const isMissing = requirements.some(({ missing }) => missing !== null);
  return (
    <section className={styles.requirements} aria-label={words.requirements}>
      <h3 className={styles.heading}>{words.requirements}</h3>
      {requirements.length === 0 && <p className={styles.soft}>{words.nothingNeeded}</p>}
      <ul>
        {requirements.map(({ name, missing }) => (
          <li key={name} data-missing={missing !== null || undefined}>
            <span className={styles.mark} aria-hidden="true">
              {missing === null ? '✓' : '!'}
            </span>
            <b>{name}</b>
            <span className={styles.soft}>{missing === null ? words.met : words.notMet}</span>
            {missing !== null && <p className={styles.remedy}>{missing}</p>}
          </li>
        ))}
      </ul>
      {isMissing && (
        <Button size="small" onPress={listExperiments}>
          {words.checkAgain}
        </Button>
      )}
    </section>
  );
}

interface FootProps extends Props {
  parameters: Record<string, unknown>;
  problem: Problem | null;
  /** Of the field that has the focus. */
  help: string;
}

function Foot({ offer, step, parameters, problem, help }: FootProps) {
  const hindrance = useConsole(startHindrance);
  const fields = fieldsOf(offer);
  const problems = problemsByField(problem, fields);
  const wrong = fields.filter(({ name }) => problems.has(name));
  return (
    <footer className={styles.foot}>
      {/* Read out with its field. */}
      <p className={styles.help} aria-hidden="true" data-testid="field-help">
        {help}
      </p>
      <p className={styles.expected} data-testid="expected-time">
        {problem
          ? wrong.length > 0
            ? words.problemIn(wrong.map(({ label }) => label))
            : problem.message
          : estimateText(estimateOf(offer.id, parameters))}
      </p>
      {!step && (
        <>
          <Button keys="Alt+Enter" keyLabel="Alt ↵" onPress={() => void addToPlan(offer)}>
            {words.addToPlan}
          </Button>
          <Button
            keys="Control+Enter"
            keyLabel="Ctrl ↵"
            isPrimary
            // With an error in a field it leads there.
            hindrance={problem && wrong.length === 0 ? problem.message : hindrance}
            onPress={() => void runExperiment(offer)}
          >
            {words.run}
          </Button>
        </>
      )}
    </footer>
  );
}
