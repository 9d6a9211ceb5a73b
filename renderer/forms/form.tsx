import type { Problem } from '../../app/protocol/errors';
import type { FieldSpec, FieldValue } from './field-spec';
import styles from './form.module.css';
import { FormField } from './form-field';
import { type FormValues, isChanged } from './form-values';
import type { Offered } from './offered-names';
import { problemsByField } from './use-check';

interface Props {
  label: string;
  fields: readonly FieldSpec[];
  values: FormValues;
  problem: Problem | null;
  isDisabled?: boolean;
  onChange: (values: FormValues) => void;
  /** Lets the operator choose a value in a dialog; null: the field has none, or it was cancelled. */
  choosers?: Readonly<Record<string, { label: string; choose: () => Promise<string | null> }>>;
  /** Names that a field may have, by that field. */
  offered?: Readonly<Record<string, Offered>>;
}

/** A form made from a schema: a field for each parameter, with unit, help and what is wrong about it. */
export function Form({
  label,
  fields,
  values,
  problem,
  isDisabled,
  onChange,
  choosers = {},
  offered = {},
}: Props) {
  const problems = problemsByField(problem);
  return (
    <form className={styles.form} aria-label={label} onSubmit={(event) => event.preventDefault()}>
      <fieldset className={styles.fields} disabled={isDisabled}>
        {fields.map((field) => {
          const chooser = choosers[field.name];
          const change = (value: FieldValue): void => onChange({ ...values, [field.name]: value });
          return (
            <FormField
              key={field.name}
              field={field}
              value={values[field.name] ?? field.initial}
              problem={problems.get(field.name) ?? null}
              onChange={change}
              onReset={isChanged(field, values) ? () => change(field.initial) : null}
              offered={offered[field.name]}
              chooser={
                chooser && {
                  label: chooser.label,
                  press: () =>
                    void chooser.choose().then((chosen) => {
                      if (chosen !== null) change(chosen);
                    }),
                }
              }
            />
          );
        })}
      </fieldset>
    </form>
  );
}
