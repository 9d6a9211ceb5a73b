import { create } from 'zustand';
import { preflightDeclaration } from '../../app/experiments/preflight/declaration';
import { fieldSchemaOf } from '../../app/protocol/field-schema';
import { perform } from '../engine/actions';
import { type ConsoleView, useConsole } from '../engine/console-store';
import { checkParameters } from '../engine/parameter-check';
import { fieldSpecs } from '../forms/field-spec';
import { type FormValues, parametersOf, valuesOf } from '../forms/form-values';
import { type Look, lookOf } from './look';

export const preflightFields = fieldSpecs(fieldSchemaOf(preflightDeclaration.parameters));

interface PreflightState {
  /** The newest one of this window; other runs that came after it do not wipe it out. */
  look: Look | null;
  /** As typed. */
  values: FormValues;
}

export const usePreflight = create<PreflightState>(() => ({
  look: null,
  values: valuesOf(preflightFields),
}));

/** Keeps what the newest preflight found. */
export function followPreflight(): void {
  function keep(view: ConsoleView): void {
    const look = lookOf(view);
    if (look) usePreflight.setState({ look });
  }
  useConsole.subscribe((view, previous) => {
    const isSame =
      view.rows === previous.rows &&
      view.engine?.mode === previous.engine?.mode &&
      view.engine?.run?.id === previous.engine?.run?.id;
    if (!isSame) keep(view);
  });
}

export function checkPreflight(parameters: Record<string, unknown>) {
  return checkParameters(preflightDeclaration.id, parameters);
}

export function startPreflight(): void {
  const parameters = parametersOf(preflightFields, usePreflight.getState().values);
  void perform({ name: 'startExperiment', experiment: preflightDeclaration.id, parameters });
}
