import { type KeyboardEvent, useCallback, useEffect, useId, useRef } from 'react';
import type { ExperimentOffer } from '../../app/protocol/console';
import { checkParameters } from '../engine/parameter-check';
import { changedParameters, parametersOf } from '../forms/form-values';
import { problemsOf, useCheck } from '../forms/use-check';
import { texts } from '../texts';
import { startDrag } from './drag';
import { changeDraft, choose, fieldsOf, useExperiments } from './experiments-store';
import { type PlanStep, repeatProblem, withoutStep, withStepChanged, withStepMoved } from './plan-draft';
import styles from './plan-panel.module.css';

const words = texts.experiments.plan;

interface Props {
  step: PlanStep;
  offer: ExperimentOffer;
  index: number;
  count: number;
  isChosen: boolean;
  dropMark: 'before' | 'after' | undefined;
  /** Changes the steps and leaves the focus on the one that stands at a place then. */
  changeFrom: (change: () => void, focused: number) => void;
}

/** A step of the plan: it can be opened, moved by drag and by keys, repeated and taken out. */
export function Step({ step, offer, index, count, isChosen, dropMark, changeFrom }: Props) {
  const { key } = step;
  const title = step.name.trim() || offer.title;
  const check = useCallback((typed: Record<string, unknown>) => checkParameters(offer.id, typed), [offer.id]);
  const fields = fieldsOf(offer);
  const { problem } = useCheck(check, parametersOf(fields, step.values));
  const [ofRuns] = problemsOf(repeatProblem(step), [{ name: 'repeat', label: words.repeat }]);
  const runsProblemId = useId();
  const runs = useRef<HTMLInputElement>(null);
  const isRefused = useExperiments(
    ({ refused }) => refused !== null && 'runsOf' in refused && refused.runsOf === key,
  );
  useEffect(() => {
    if (!isRefused) return;
    runs.current?.focus();
    useExperiments.setState({ refused: null });
  }, [isRefused]);

  function move(to: number): void {
    if (to < 0 || to >= count) return;
    const spoken = words.moved(title, to, count);
    changeFrom(() => changeDraft((draft) => withStepMoved(draft, key, to), spoken), to);
  }

  function remove(): void {
    changeFrom(() => changeDraft((draft) => withoutStep(draft, key), words.removed(title)), index);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey && event.key === 'ArrowUp') move(index - 1);
    else if (event.altKey && event.key === 'ArrowDown') move(index + 1);
    else if (event.key === 'Delete' && !(event.target instanceof HTMLInputElement)) remove();
    else return;
    event.preventDefault();
  }

  return (
    <li
      className={styles.step}
      data-testid="plan-step"
      data-drop={dropMark}
      data-chosen={isChosen || undefined}
      onKeyDown={onKeyDown}
    >
      <button
        type="button"
        draggable
        className={styles.open}
        aria-current={isChosen ? 'true' : undefined}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Delete"
        onDragStart={(event) => startDrag(event, { step: key })}
        onClick={() => choose({ step: key })}
      >
        <b>{words.step(index, title)}</b>
        <span className={styles.parameters}>{summaryOf(step, offer)}</span>
        {problemsOf(problem, fields).map(({ field, message }) => (
          <span key={`${field} ${message}`} className={styles.problem}>
            {message}
          </span>
        ))}
      </button>
      <div className={styles.tools}>
        <label className={styles.repeat}>
          {words.repeat}
          <input
            ref={runs}
            value={step.repeat}
            aria-invalid={ofRuns !== undefined || undefined}
            aria-describedby={ofRuns && runsProblemId}
            inputMode="numeric"
            autoComplete="off"
            aria-label={words.repeatThis(title)}
            onChange={({ target }) =>
              changeDraft((draft) => withStepChanged(draft, key, { repeat: target.value }))
            }
          />
        </label>
        <Tool
          label={words.up(title)}
          path="M4 10l4-4 4 4"
          hindrance={index === 0 ? words.alreadyFirst : null}
          onPress={() => move(index - 1)}
        />
        <Tool
          label={words.down(title)}
          path="M4 6l4 4 4-4"
          hindrance={index === count - 1 ? words.alreadyLast : null}
          onPress={() => move(index + 1)}
        />
        <Tool label={words.remove(title)} path="M4 4l8 8M12 4l-8 8" onPress={remove} />
      </div>
      {ofRuns && (
        <p id={runsProblemId} className={styles.problem}>
          {ofRuns.message}
        </p>
      )}
    </li>
  );
}

interface ToolProps {
  label: string;
  /** In a box of 16 × 16, drawn with a line. */
  path: string;
  /** Why it is disabled; null: it is not. */
  hindrance?: string | null;
  onPress: () => void;
}

function Tool({ label, path, hindrance = null, onPress }: ToolProps) {
  return (
    <button
      type="button"
      className={styles.tool}
      aria-label={label}
      title={hindrance ?? label}
      disabled={hindrance !== null}
      onClick={onPress}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={path} />
      </svg>
    </button>
  );
}

/** "Max streams 2, Hold 5 s": what differs from the defaults. */
function summaryOf(step: PlanStep, offer: ExperimentOffer): string {
  const fields = fieldsOf(offer);
  const changed = Object.entries(changedParameters(fields, step.values)).map(([name, value]) => {
    const field = fields.find((each) => each.name === name);
    const text = Array.isArray(value) ? value.join(' ') : String(value);
    return `${field?.label ?? name} ${text}${field?.unit ? ` ${field.unit}` : ''}`;
  });
  return changed.join(', ') || words.defaults;
}
