import { type DragEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ExperimentOffer } from '../../app/protocol/console';
import { useConsole } from '../engine/console-store';
import { startHindrance } from '../engine/hindrances';
import { parametersOf } from '../forms/form-values';
import { ProfileChoice } from '../forms/profile-choice';
import { Button } from '../shell/button';
import { texts } from '../texts';
import { draggedBy, isOurDrag } from './drag';
import { estimateOf, planEstimateText } from './estimate';
import { addToPlan, openPlan, runPlan, savePlan } from './experiment-actions';
import { changeDraft, fieldsOf, useExperiments } from './experiments-store';
import { emptyDraft, type PlanStep, repeatOf, withStepDropped, withThresholds } from './plan-draft';
import styles from './plan-panel.module.css';
import { Step } from './plan-step';

const words = texts.experiments.plan;

interface Props {
  offers: readonly ExperimentOffer[];
  /** Key of the step that is set up. */
  chosen: number | null;
}

/** The plan: steps that are dragged here or added by a key, put into order, saved, and run as a whole. */
export function PlanPanel({ offers, chosen }: Props) {
  const nameId = useId();
  const draft = useExperiments((state) => state.draft);
  const spoken = useExperiments((state) => state.spoken);
  const hindrance = useConsole(startHindrance);
  const list = useRef<HTMLOListElement>(null);
  /** Before which step something would be dropped. */
  const [dropAt, setDropAt] = useState<number | null>(null);
  const { steps } = draft;

  /** A step that was moved or taken out would take the focus with it. */
  function changeFrom(change: () => void, focused: number): void {
    flushSync(change);
    const at = Math.min(focused, (list.current?.children.length ?? 0) - 1);
    list.current?.children[at]?.querySelector('button')?.focus();
  }

  function onDragOver(event: DragEvent): void {
    if (!isOurDrag(event)) return;
    event.preventDefault();
    setDropAt(placeAt(list.current, event.clientY));
  }

  function onDrop(event: DragEvent): void {
    const dragged = draggedBy(event);
    const at = placeAt(list.current, event.clientY);
    setDropAt(null);
    if (!dragged) return;
    event.preventDefault();
    if ('step' in dragged) changeDraft((given) => withStepDropped(given, dragged.step, at));
    else {
      const offer = offers.find(({ id }) => id === dragged.experiment);
      if (offer) void addToPlan(offer, at);
    }
  }

  return (
    <section
      className={styles.panel}
      aria-label={words.title}
      data-testid="plan"
      data-dropping={dropAt !== null || undefined}
      onDragOver={onDragOver}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDropAt(null);
      }}
      onDrop={onDrop}
    >
      <div className={styles.head}>
        <h2 className={styles.title}>{words.title}</h2>
        <Button
          size="small"
          hindrance={steps.length === 0 ? words.noStep : null}
          onPress={() => changeDraft(() => emptyDraft)}
        >
          {words.clear}
        </Button>
      </div>
      <label className={styles.name} htmlFor={nameId}>
        <span className="visually-hidden">{words.name}</span>
        <input
          id={nameId}
          value={draft.name}
          placeholder={words.name}
          maxLength={80}
          autoComplete="off"
          onChange={({ target }) => changeDraft((given) => ({ ...given, name: target.value }))}
        />
      </label>
      <div className={styles.steps}>
        {steps.length === 0 ? (
          <p className={styles.empty}>{dropAt === null ? words.empty : words.dropHere}</p>
        ) : (
          <ol ref={list}>
            {steps.map((step, index) => {
              const offer = offers.find(({ id }) => id === step.experiment);
              return (
                offer && (
                  <Step
                    key={step.key}
                    {...{ step, offer, index }}
                    count={steps.length}
                    changeFrom={changeFrom}
                    isChosen={step.key === chosen}
                    dropMark={dropAt === index ? 'before' : isDropEnd(dropAt, index, steps.length)}
                  />
                )
              );
            })}
          </ol>
        )}
      </div>
      {steps.length > 0 && <p className={styles.hint}>{words.keys}</p>}
      {steps.length > 0 && (
        <ProfileChoice
          label={texts.profiles.ofPlan}
          value={draft.kept.thresholds ?? null}
          onChange={(profile) => changeDraft((given) => withThresholds(given, profile))}
        />
      )}
      <footer className={styles.foot}>
        <p className={styles.expected}>{steps.length > 0 && expectedText(steps, offers)}</p>
        <Button size="small" onPress={() => void openPlan(offers)}>
          {words.open}
        </Button>
        <Button
          size="small"
          hindrance={steps.length === 0 ? words.noStep : null}
          onPress={() => void savePlan(offers)}
        >
          {words.save}
        </Button>
        <Button
          keys="Control+Shift+Enter"
          keyLabel="Ctrl ⇧ ↵"
          hindrance={steps.length === 0 ? words.noStep : hindrance}
          onPress={() => void runPlan(offers)}
        >
          {words.run}
        </Button>
      </footer>
      <p className="visually-hidden" role="status">
        {spoken}
      </p>
    </section>
  );
}

function expectedText(steps: readonly PlanStep[], offers: readonly ExperimentOffer[]): string {
  return planEstimateText(
    steps.flatMap((step) => {
      const offer = offers.find(({ id }) => id === step.experiment);
      if (!offer) return [];
      const estimate = estimateOf(offer.id, parametersOf(fieldsOf(offer), step.values));
      return [{ title: step.name.trim() || offer.title, estimate, times: Number(repeatOf(step)) }];
    }),
  );
}

/** Before which step of the list a pointer at this height is. */
function placeAt(list: HTMLOListElement | null, clientY: number): number {
  const steps = [...(list?.children ?? [])];
  const below = steps.findIndex((step) => {
    const { top, height } = step.getBoundingClientRect();
    return clientY < top + height / 2;
  });
  return below < 0 ? steps.length : below;
}

function isDropEnd(dropAt: number | null, index: number, count: number): 'after' | undefined {
  return dropAt === count && index === count - 1 ? 'after' : undefined;
}
