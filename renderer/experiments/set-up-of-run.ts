import { declarations } from '../../app/experiments/declarations';
import type { Run } from '../../app/facts/run';
import { fieldSchemaOf } from '../../app/protocol/field-schema';
import { thresholdProfiles } from '../../app/protocol/thresholds';
import { fieldSpecs } from '../forms/field-spec';
import { type FormValues, valuesOf } from '../forms/form-values';

export interface SetUp {
  values: FormValues;
  /** Null: that of the settings, as a file of one's own is read from there alone. */
  profile: string | null;
}

type RunSetUp = Pick<Run, 'experiment' | 'parameters' | 'thresholdProfile'>;

/** With what a run's experiment was set up; null for what is no experiment: live runs are put together by hand. */
export function setUpOf({ experiment, parameters, thresholdProfile }: RunSetUp): SetUp | null {
  const declaration = declarations.find(({ id }) => id === experiment);
  if (!declaration) return null;
  const fields = fieldSpecs(fieldSchemaOf(declaration.parameters), declaration.basic);
  const isBuiltIn = thresholdProfile !== undefined && thresholdProfile in thresholdProfiles;
  return { values: valuesOf(fields, parameters), profile: isBuiltIn ? thresholdProfile : null };
}
