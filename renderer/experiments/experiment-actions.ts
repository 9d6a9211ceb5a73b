import type { Run } from '../../app/facts/run';
import type { ExperimentOffer } from '../../app/protocol/console';
import type { Problem } from '../../app/protocol/errors';
import { perform } from '../engine/actions';
import { command, shell } from '../engine/connection';
import { useConsole } from '../engine/console-store';
import { startHindrance } from '../engine/hindrances';
import { checkParameters } from '../engine/parameter-check';
import { reportWritten } from '../engine/written-file';
import { changedParameters, type FormValues, parametersOf, valuesOf } from '../forms/form-values';
import { problemsByField } from '../forms/use-check';
import { showScreen } from '../navigation/shown-screen';
import { connectArchive } from '../sessions/archive';
import { openWrittenReport } from '../sessions/session-actions';
import { useSessions } from '../sessions/sessions-store';
import { texts } from '../texts';
import { changeDraft, fieldsOf, formOf, showErrors, useExperiments } from './experiments-store';
import { draftOf, type PlanDraft, type PlanStep, planOf, repeatProblem, withStep } from './plan-draft';
import { setUpOf } from './set-up-of-run';

const words = texts.experiments;

/** What an operator can do on this screen, by button or by key. */

/** Lists the experiments, and looks again for what each of them needs. */
export async function listExperiments(): Promise<void> {
  const { result } = await command({ name: 'listExperiments' });
  if (result) useConsole.setState({ offers: result });
}

export async function runExperiment(offer: ExperimentOffer): Promise<void> {
  if (startHindrance(useConsole.getState()) !== null) return;
  const { forms, profiles } = useExperiments.getState();
  const parameters = parametersOf(fieldsOf(offer), formOf(offer, forms));
  if (isWrong(offer, await checkParameters(offer.id, parameters))) {
    showErrors({ experiment: offer.id }, words.notStarted(offer.title));
    return;
  }
  const thresholds = profiles[offer.id] ?? undefined;
  const started = await perform({ name: 'startExperiment', experiment: offer.id, parameters, thresholds });
  if (started !== undefined) useExperiments.setState({ view: 'run' });
}

/** Fills the form of a run's experiment with what it was run with, and shows it: nothing is started. */
export function runAgain(run: Run): void {
  const setUp = setUpOf(run);
  if (!setUp) return;
  const { experiment } = run;
  useExperiments.setState(({ forms, profiles }) => ({
    view: 'set-up',
    chosen: { experiment },
    forms: { ...forms, [experiment]: setUp.values },
    profiles: { ...profiles, [experiment]: setUp.profile },
  }));
  showScreen('experiments');
}

/** Shows the form of an experiment as it stands but for these values: nothing is started. */
export function setUp(offer: ExperimentOffer, values: FormValues): void {
  const { id: experiment } = offer;
  useExperiments.setState(({ forms }) => ({
    ...{ view: 'set-up', chosen: { experiment } },
    forms: { ...forms, [experiment]: { ...formOf(offer, forms), ...values } },
  }));
  showScreen('experiments');
}

let addedBefore: Promise<unknown> = Promise.resolve();

/**
 * Puts an experiment with its form as it stands into the plan; a form with errors is shown instead. Steps come in the order in
 * which they were added, however long the check of each takes.
 */
export function addToPlan(offer: ExperimentOffer, at?: number): Promise<void> {
  const values = formOf(offer, useExperiments.getState().forms);
  const checked = checkParameters(offer.id, parametersOf(fieldsOf(offer), values));
  const added = Promise.all([checked, addedBefore]).then(([problem]) => add(offer, values, problem, at));
  addedBefore = added.catch(() => undefined);
  return added;
}

function add(offer: ExperimentOffer, values: FormValues, problem: Problem | null, at?: number): void {
  if (isWrong(offer, problem)) {
    showErrors({ experiment: offer.id }, words.plan.notAdded(offer.title));
    return;
  }
  const { draft } = useExperiments.getState();
  const spoken = words.plan.added(offer.title, (at ?? draft.steps.length) + 1);
  changeDraft((given) => withStep(given, offer.id, values, at), spoken);
}

export async function runPlan(offers: readonly ExperimentOffer[]): Promise<void> {
  const { draft } = useExperiments.getState();
  if (startHindrance(useConsole.getState()) !== null || draft.steps.length === 0) return;
  const wrong = await firstWrong(draft.steps, offers);
  if (wrong) {
    if ('runsOf' in wrong) useExperiments.setState({ refused: wrong, spoken: words.plan.notStarted });
    else showErrors(wrong, words.plan.notStarted);
    return;
  }
  const started = await perform({ name: 'startPlan', plan: writtenPlan(draft, offers) });
  if (started !== undefined) useExperiments.setState({ view: 'run' });
}

/** Where the first error of a plan is. What has no field is said by the engine, which refuses the start. */
async function firstWrong(
  steps: readonly PlanStep[],
  offers: readonly ExperimentOffer[],
): Promise<{ step: number } | { runsOf: number } | undefined> {
  const found = await Promise.all(
    steps.map(async (step) => {
      const offer = offers.find(({ id }) => id === step.experiment);
      const problem = offer && (await checkParameters(offer.id, parametersOf(fieldsOf(offer), step.values)));
      if (offer && problem && isWrong(offer, problem)) return { step: step.key };
      return repeatProblem(step) && { runsOf: step.key };
    }),
  );
  return found.find((place) => place !== null) ?? undefined;
}

/** Whether a field of an experiment’s form is wrong. */
function isWrong(offer: ExperimentOffer, problem: Problem | null): boolean {
  return problemsByField(problem, fieldsOf(offer)).size > 0;
}

export async function savePlan(offers: readonly ExperimentOffer[]): Promise<void> {
  const { draft } = useExperiments.getState();
  const plan = writtenPlan(draft, offers);
  const chosen = await shell.choosePlanFile(draft.name.trim() || words.plan.defaultName);
  if (chosen === null) return;
  if ((await perform({ name: 'savePlan', plan, grant: chosen.grant })) === undefined) return;
  reportWritten('plan-saved', words.plan.saved(chosen.path), chosen);
}

/** @param run its folder below that of all runs */
export async function openReport(run: string): Promise<void> {
  connectArchive();
  await openWrittenReport({ name: 'openReport', run });
}

/** Shows a run that is over with all there is of it, on the screen of all runs. */
export function showInSessions(run: string): void {
  useSessions.setState({ view: { name: 'run', folder: run } });
  showScreen('sessions');
}

/** Puts the plan of a file in the place of the one that is put together. */
export async function openPlan(offers: readonly ExperimentOffer[]): Promise<void> {
  const chosen = await shell.choosePlanToOpen();
  const plan = chosen && (await perform({ name: 'openPlan', grant: chosen.grant }));
  if (!plan) return;
  const draft = draftOf(plan, ({ experiment, parameters }) => {
    const offer = offers.find(({ id }) => id === experiment);
    return offer ? valuesOf(fieldsOf(offer), parameters) : {};
  });
  useExperiments.setState({ draft, chosen: null, spoken: words.plan.opened(plan.name) });
}

function writtenPlan(draft: PlanDraft, offers: readonly ExperimentOffer[]): Record<string, unknown> {
  return planOf(draft, words.plan.defaultName, ({ experiment, values }) => {
    const offer = offers.find(({ id }) => id === experiment);
    return offer ? changedParameters(fieldsOf(offer), values) : {};
  });
}
