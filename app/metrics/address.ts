import { badInput } from '../protocol/errors';
import { hostAndPortOf, lastPort } from '../protocol/network-address';

export interface MetricsAddress {
  /** Of this machine. */
  host: string;
  /** 0: one that is free. */
  port: number;
}

const loopback = '127.0.0.1';

/**
 * "9464", "192.0.2.7:9464", "[::]:9464" or "render-pc:9464". Without an address it is that of loopback.
 * @throws WhitelineError BAD_INPUT
 */
export function metricsAddressOf(text: string, field: string): MetricsAddress {
  if (!/^\d+$/.test(text)) return hostAndPortOf(text, field);
  if (text.length > 5 || Number(text) > lastPort)
    throw badInput(field, `a port from 0 to ${lastPort}`, text, 'Use for example 9464 or 192.0.2.7:9464');
  return { host: loopback, port: Number(text) };
}
