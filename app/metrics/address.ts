import { badInput, toProblem, WhitelineError } from '../protocol/errors';
import { hostAndPortOf, lastPort } from '../protocol/network-address';

export interface MetricsAddress {
  /** Of this machine. */
  host: string;
  /** 0: one that is free. */
  port: number;
}

const loopback = '127.0.0.1';
const example = 'Use for example 9464 or 192.0.2.7:9464';

/**
 * "9464", "192.0.2.7:9464", "[::]:9464" or "render-pc:9464". Without an address it is that of loopback.
 * @throws WhitelineError BAD_INPUT
 */
export function metricsAddressOf(text: string, field: string): MetricsAddress {
  if (/^\d+$/.test(text)) {
    if (text.length > 5 || Number(text) > lastPort)
      throw badInput(field, `a port from 0 to ${lastPort}`, text, example);
    return { host: loopback, port: Number(text) };
  }
  try {
    return hostAndPortOf(text, field);
  } catch (error) {
    throw new WhitelineError({ ...toProblem(error), remedy: example });
  }
}
