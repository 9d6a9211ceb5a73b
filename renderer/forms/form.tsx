import type { ReactNode } from 'react';
import type { Problem } from '../../app/protocol/errors';
import { Fold } from '../shell/fold';
import { texts } from '../texts';
import type { FieldSpec, FieldValue } from './field-spec';
import styles from './form.module.css';
import { FormField } from './form-field';
import { type FormValues, isChanged, withChosen } from './form-values';
import type { Offered } from './offered-names';
import { problemsByField } from './use-check';

interface Props {
  label: string;
  fields: readonly FieldSpec[];
  values: FormValues;
  problem: Problem | null;
  isDisabled?: boolean;
  onChange: (values: FormValues) => void;
  /** The field that has the focus; null: none. */
  onFocus?: (name: string | null) => void;
  /** Lets the operator choose a value in a dialog; null: the field has none, or it was cancelled. */
  choosers?: Readonly<Record<string, { label: string; choose: () => Promise<string | null> }>>;
  /** Names that a field may have, by that field. */
  offered?: Readonly<Record<string, Offered>>;
}

/** A form made from a schema: a field for each parameter, with unit, help and what is wrong about it; advanced ones are folded. */
export function Form({
  label,
  fields,
  values,
  problem,
  isDisabled,
  onChange,
  onFocus,
  choosers = {},
  offered = {},
}: Props) {
  const problems = problemsByField(problem, fields);
  const advanced = fields.filter(({ isBasic }) => !isBasic);
  const changed = advanced.filter((field) => isChanged(field, values)).length;

  function drawn(field: FieldSpec): ReactNode {
    const { name, initial } = field;
    const value = values[name] ?? initial;
    const change = (next: FieldValue): void => onChange({ ...values, [name]: next });
    const chooser = choosers[name];
    return (
      <FormField
        key={name}
        {...{ field, value }}
        problem={problems.get(name) ?? null}
        onChange={change}
        onReset={isChanged(field, values) ? () => change(initial) : null}
        offered={offered[name]}
        chooser={
          chooser && {
            label: chooser.label,
            press: () =>
              void chooser.choose().then((chosen) => {
                if (chosen !== null) change(withChosen(field, values, chosen));
              }),
          }
        }
      />
    );
  }

  return (
    <form
      className={styles.form}
      aria-label={label}
      onSubmit={(event) => event.preventDefault()}
      onFocus={({ target }) => onFocus?.(target.closest('[data-field]')?.getAttribute('data-field') ?? null)}
      onBlur={() => onFocus?.(null)}
    >
      <fieldset className={styles.fields} disabled={isDisabled}>
        {fields.filter(({ isBasic }) => isBasic).map(drawn)}
      </fieldset>
      {advanced.length > 0 && (
        <Fold
          title={texts.forms.advanced}
          note={texts.forms.advancedNote(advanced.length, changed)}
          // What a preset, a plan, a run or an earlier sitting filled in is seen.
          startsOpen={changed > 0}
          opensFor={advanced.some(({ name }) => problems.has(name))}
        >
          <fieldset className={styles.fields} disabled={isDisabled}>
            {advanced.map(drawn)}
          </fieldset>
        </Fold>
      )}
    </form>
  );
}
