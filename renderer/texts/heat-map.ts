/** Of the map of a run whose rows are pairs of machines. */
export const heatMapTexts = {
  title: 'Map of the pairs',
  caption: 'Frames lost, %: from the machine of the row to the machine of the column',
  corner: 'From ↓ to →',
  self: 'The same machine',
  worst: 'The worst pair:',
  depth: 'The number is the share of frames that were lost or not sent, in %. Deeper colour means more.',
  notYet: (from: string, to: string) => `${from} → ${to}: not measured yet`,
  open: (from: string, to: string) => `${from} → ${to}: being measured`,
  pair: (from: string, to: string, verdict: string, figures: string, reason: string) =>
    `${from} → ${to}: ${[verdict, figures, reason].filter(Boolean).join('; ')}`,
} as const;
