export interface PingTotals {
  sent: number;
  answered: number;
}

/** The line of totals of ping of iputils, BusyBox, inetutils and macOS; null if there is none. */
export function pingTotals(output: string): PingTotals | null {
  const totals = /^(\d{1,15}) packets transmitted, (\d{1,15}) (?:packets )?received/m.exec(output);
  return totals && { sent: Number(totals[1]), answered: Number(totals[2]) };
}
