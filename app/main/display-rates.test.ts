import { expect, test } from 'vitest';
import { DisplayRates } from './display-rates';

const silent = { id: 1, displayFrequency: 0 };

test('where the system says the rate, no window does', () => {
  const rates = new DisplayRates();
  const display = { id: 1, displayFrequency: 59.94 };
  rates.note(display, 120);
  expect(rates.of(display)).toBe(59.94);
});

test('elsewhere the fastest window has measured it, for all windows of that display', () => {
  const rates = new DisplayRates();
  expect(rates.of(silent)).toBe(0);
  rates.note(silent, 30);
  expect(rates.of(silent)).toBe(30);
  rates.note(silent, 60);
  rates.note(silent, 30);
  // Noise of an estimate does not push the rate up.
  rates.note(silent, 61);
  expect(rates.of(silent)).toBe(60);
  expect(rates.of({ id: 2, displayFrequency: 0 })).toBe(0);
});

test('a display that changed is measured anew', () => {
  const rates = new DisplayRates();
  rates.note(silent, 120);
  rates.forget(silent);
  expect(rates.of(silent)).toBe(0);
});
