import { type Transport, transports } from './declaration';

/** Names of the transports in the SDK's configuration. */
const keys: Record<Transport, string> = { rudp: 'rudp', tcp: 'tcp', udp: 'unicast', multicast: 'multicast' };

/** Groups for this machine's own use, which no router passes on (RFC 2365). */
const multicastGroups = { netprefix: '239.255.0.0', netmask: '255.255.0.0', ttl: 1 };

/**
 * Text of an `ndi-config.v1.json` that allows one transport alone, over loopback too; source: the configuration's names in
 * the SDK's documentation, those of loopback in libndi 6. The SDK falls back to one TCP connection where it cannot be used.
 */
export function ndiConfiguration(transport: Transport): string {
  const settings = transports.map((one) => {
    const enable = one === transport;
    const groups = one === 'multicast' ? multicastGroups : {};
    return [keys[one], { send: { enable, ...groups }, recv: { enable, loopback: enable } }] as const;
  });
  return JSON.stringify({ ndi: Object.fromEntries(settings) });
}
