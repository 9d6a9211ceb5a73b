import { useEffect, useLayoutEffect } from 'react';
import type { ExperimentOffer } from '../../app/protocol/console';
import type { ChartBoard } from '../charts/chart-board';
import { readinessOf, useConsole } from '../engine/console-store';
import { Choice } from '../shell/choice';
import { texts } from '../texts';
import { addToPlan, listExperiments, runExperiment, runPlan } from './experiment-actions';
import { ExperimentDetail } from './experiment-detail';
import { ExperimentList } from './experiment-list';
import styles from './experiments-screen.module.css';
import { type Chosen, useExperiments } from './experiments-store';
import { PlanPanel } from './plan-panel';
import { PlanRuns } from './plan-runs';
import { placeOf } from './run-place';
import { RunView } from './run-view';

const words = texts.experiments;
const views = [
  ['set-up', words.views['set-up']],
  ['run', words.views.run],
] as const;

/** Every experiment by its declaration, the plan that is made of them, and what they measure. */
export function ExperimentsScreen({ board }: { board: ChartBoard }) {
  const offers = useConsole((view) => view.offers);
  const isThere = useConsole((view) => !['starting', 'crashed'].includes(readinessOf(view)));
  const isNdiLoading = useConsole((view) => view.engine?.transportLoading ?? false);
  const isRunning = useConsole((state) => !['idle', 'live'].includes(state.engine?.mode ?? 'idle'));
  const chosenView = useExperiments((state) => state.view);
  const view = chosenView ?? (isRunning ? 'run' : 'set-up');
  const chosen = useExperiments((state) => state.chosen);
  const session = useConsole((state) => state.engine?.session ?? null);
  const runFolder = useConsole((state) => state.engine?.run?.folder ?? null);
  const place = runFolder === null ? null : placeOf(runFolder, session);
  const steps = useExperiments((state) => state.draft.steps);

  // Choose the view of the run, so that the screen stays on it when it ends.
  useEffect(() => {
    if (isRunning && chosenView === null) useExperiments.setState({ view: 'run' });
  }, [isRunning, chosenView]);

  // What an experiment needs may be there by now: NDI has been loaded, or a tool was installed meanwhile.
  useEffect(() => {
    if (isThere && !isNdiLoading) listExperiments();
  }, [isThere, isNdiLoading]);

  const step = chosen && 'step' in chosen ? steps.find(({ key }) => key === chosen.step) : undefined;
  const offer = offers && offerOf(offers, step?.experiment ?? experimentOf(chosen));
  useRunKeys(offers, step ? null : offer);

  if (!offers || !offer) return <p className={styles.loading}>{words.loading}</p>;
  return (
    <div className={styles.screen} data-testid="experiments">
      <aside className={styles.side}>
        <Choice
          label={words.views.label}
          options={views}
          value={view}
          columns={2}
          onChange={(next) => useExperiments.setState({ view: next })}
        />
        {view === 'run' && session && place?.session ? (
          <PlanRuns session={session} folder={place.session} />
        ) : (
          <ExperimentList offers={offers} chosen={step ? null : offer.id} />
        )}
      </aside>
      {view === 'run' ? (
        <RunView board={board} />
      ) : (
        <div className={styles.setUp}>
          <ExperimentDetail key={step ? step.key : offer.id} offer={offer} step={step ?? null} />
          <PlanPanel offers={offers} chosen={step?.key ?? null} />
        </div>
      )}
    </div>
  );
}

function experimentOf(chosen: Chosen | null): string | null {
  return chosen && 'experiment' in chosen ? chosen.experiment : null;
}

function offerOf(offers: readonly ExperimentOffer[], id: string | null): ExperimentOffer | undefined {
  return offers.find((offer) => offer.id === id) ?? offers[0];
}

/** Keys that work during typing, too. `offer`: what stands on its own to be run or added. */
function useRunKeys(
  offers: readonly ExperimentOffer[] | null,
  offer: ExperimentOffer | null | undefined,
): void {
  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key !== 'Enter' || event.repeat || !offers) return;
      if (document.querySelector('dialog[open]')) return;
      if (event.ctrlKey && event.shiftKey) void runPlan(offers);
      else if (event.ctrlKey && offer) void runExperiment(offer);
      else if (event.altKey && offer) void addToPlan(offer);
      else return;
      event.preventDefault();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [offers, offer]);
}
