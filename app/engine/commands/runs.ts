import { networkInterfaces } from 'node:os';
import type { ExperimentOffer } from '../../protocol/console';
import type { runCommands } from '../../protocol/console-commands';
import type { Handlers } from '../../rpc/serve-commands';
import { offers } from '../experiment/offers';
import { interfaceOffers } from '../machine/interface-offers';
import { readInterfaceEnvironments } from '../machine/interfaces';
import { checkParameters } from '../runs/prepared-run';
import { done, type EngineParts } from './engine-parts';

export function runHandlers({
  application,
  instrument,
  work,
  experiments,
  transport,
}: Pick<EngineParts, 'application' | 'instrument' | 'work' | 'experiments' | 'transport'>): Handlers<
  typeof runCommands
> {
  let offered: Promise<ExperimentOffer[]> | null = null;
  return {
    startExperiment: ({ experiment, parameters, thresholds }) =>
      done(work.start(() => experiments.prepareExperiment(experiment, parameters, thresholds))),
    startPlan: ({ plan }) => done(work.start(() => experiments.preparePlan(plan))),
    stop: () => done(work.stop()),
    checkParameters: async ({ experiment, parameters }) => {
      const connected = (await application.fleet?.names()) ?? [];
      const { nativeHost } = instrument.set;
      const { played } = await checkParameters(experiment, parameters, nativeHost, connected);
      return played ?? null;
    },
    /** Who asks while it is found out what each still needs here shares the answer. */
    listExperiments: () => {
      offered ??= offers(transport.requirement).finally(() => {
        offered = null;
      });
      return offered;
    },
    listInterfaces: async () =>
      interfaceOffers(await readInterfaceEnvironments(instrument.set.nativeHost), networkInterfaces()),
  };
}
