import { type Settings, settingsSchema } from '../../app/protocol/settings';
import { useMachineSettings } from './settings-store';

export type NetworkUnit = Settings['networkUnit'];

export const networkUnits = settingsSchema.shape.networkUnit.unwrap().options;

/** What 1 Mb/s is in it. */
export const perMbps: Record<NetworkUnit, number> = { 'Mb/s': 1, 'MB/s': 1 / 8 };

/** The one that the operator chose for what the window shows now. */
export function useNetworkUnit(): NetworkUnit {
  return useMachineSettings(({ view }) => view?.settings.networkUnit ?? 'Mb/s');
}
