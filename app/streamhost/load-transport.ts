import type { Addon } from '../../native/addon/index';
import type { LoadedTransport, TransportSettings } from '../protocol/transports';
import { withNdiConfiguration } from './ndi-configuration';

/** Loads what a transport needs. `configuration`: see `HostStart`. @throws Error of the addon */
export function loadTransport(
  addon: Addon,
  transport: TransportSettings,
  configuration: string | undefined,
): LoadedTransport {
  if (transport.name === 'memory') return { name: 'memory' };
  const { path, version } = withNdiConfiguration(configuration, () => addon.loadNdi(transport.candidates));
  return { name: 'ndi', path, version };
}
