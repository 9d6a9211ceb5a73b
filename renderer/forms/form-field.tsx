import { useId } from 'react';
import { type Problem, problemText } from '../../app/protocol/errors';
import { Choice } from '../shell/choice';
import { texts } from '../texts';
import type { FieldSpec, FieldValue } from './field-spec';
import styles from './form.module.css';
import { type Offered, OfferedList, OfferedNames } from './offered-names';

interface Props {
  field: FieldSpec;
  value: FieldValue;
  problem: Problem | null;
  onChange: (value: FieldValue) => void;
  /** Null if the field has its default already. */
  onReset: (() => void) | null;
  chooser?: { label: string; press: () => void };
  /** Of a text. */
  offered?: Offered;
}

/** One parameter: what it is called, its unit, what it is set to, what it is for, and what is wrong about it. */
export function FormField({ field, value, problem, onChange, onReset, chooser, offered }: Props) {
  const id = useId();
  const helpId = `${id}-help`;
  const rangeId = `${id}-range`;
  const { label, unit, range, help, kind } = field;
  const name = unit ? `${label} (${unit})` : label;
  const isGroup = kind === 'choice' || kind === 'choices';
  const OfferedChoice = offered?.notes ? OfferedList : OfferedNames;
  return (
    <div
      className={styles.field}
      data-field={field.name}
      data-changed={onReset ? true : undefined}
      data-problem={problem ? true : undefined}
      title={help || undefined}
    >
      <div className={styles.head}>
        {isGroup ? (
          <span className={styles.label}>{name}</span>
        ) : (
          <label className={styles.label} htmlFor={id}>
            {name}
          </label>
        )}
        {range && (
          <span id={rangeId} className={styles.range}>
            {range}
          </span>
        )}
        {onReset && (
          <button
            type="button"
            className={styles.reset}
            aria-label={texts.forms.resetThis(label)}
            title={texts.forms.resetThis(label)}
            onClick={onReset}
          >
            {texts.forms.resetField}
          </button>
        )}
      </div>
      <Control
        {...{ id, field, value, name, onChange }}
        describedBy={range ? `${rangeId} ${helpId}` : helpId}
        isInvalid={problem !== null}
      />
      {chooser && (
        <button type="button" className={styles.choose} onClick={chooser.press}>
          {chooser.label}
        </button>
      )}
      {offered && (
        <OfferedChoice
          {...offered}
          label={texts.forms.offered(label)}
          value={String(value)}
          onChange={onChange}
        />
      )}
      <div id={helpId}>
        {problem && (
          <p className={styles.problem} data-testid="field-problem">
            {wordsOf(problem, help)}
          </p>
        )}
        {help && <p className="visually-hidden">{help}</p>}
      </div>
    </div>
  );
}

/** The engine's remedy may be what the help says already. */
function wordsOf(problem: Problem, help: string): string {
  return help !== '' && problem.remedy?.includes(help) ? problem.message : problemText(problem);
}

interface ControlProps {
  id: string;
  field: FieldSpec;
  name: string;
  value: FieldValue;
  describedBy: string;
  isInvalid: boolean;
  onChange: (value: FieldValue) => void;
}

function Control({ id, field, name, value, describedBy, isInvalid, onChange }: ControlProps) {
  const { kind, options, isOptional, initial } = field;
  const described = { 'aria-describedby': describedBy, 'aria-invalid': isInvalid || undefined };
  const typed = {
    ...{ id, value: String(value), spellCheck: false, autoComplete: 'off', ...described },
    placeholder: isOptional || initial === '' ? texts.forms.leftOpen : undefined,
  };
  switch (kind) {
    case 'switch':
      return (
        <span className={styles.switch}>
          <input
            {...{ id, ...described }}
            type="checkbox"
            checked={value === true}
            onChange={(event) => onChange(event.target.checked)}
          />
          <span aria-hidden="true">{value === true ? texts.forms.on : texts.forms.off}</span>
        </span>
      );
    case 'choice':
      return (
        <Choice
          label={name}
          options={options.map((option) => [option, option || texts.forms.leftOpen] as const)}
          value={String(value)}
          describedBy={describedBy}
          onChange={onChange}
        />
      );
    case 'choices':
      return <Choices label={name} options={options} chosen={listOf(value)} {...{ describedBy, onChange }} />;
    case 'lines':
      return (
        <textarea
          {...typed}
          className={styles.lines}
          rows={Math.min(6, Math.max(2, String(value).split('\n').length))}
          placeholder={texts.forms.onePerLine}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    default:
      return (
        <input
          {...typed}
          className={styles.input}
          inputMode={kind === 'number' ? 'decimal' : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      );
  }
}

interface ChoicesProps {
  label: string;
  options: readonly string[];
  chosen: readonly string[];
  describedBy: string;
  onChange: (chosen: readonly string[]) => void;
}

/** Some of a few; they stay in the order of their declaration. */
function Choices({ label, options, chosen, describedBy, onChange }: ChoicesProps) {
  return (
    <fieldset className={styles.choices} aria-describedby={describedBy}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option} className={styles.choice}>
          <input
            type="checkbox"
            checked={chosen.includes(option)}
            onChange={({ target }) =>
              onChange(options.filter((each) => (each === option ? target.checked : chosen.includes(each))))
            }
          />
          {option}
        </label>
      ))}
    </fieldset>
  );
}

function listOf(value: FieldValue): readonly string[] {
  return typeof value === 'object' ? value : [];
}
