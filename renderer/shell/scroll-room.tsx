import type { ReactNode } from 'react';

interface Props {
  label: string;
  className: string | undefined;
  children: ReactNode;
  testId?: string;
}

/** What scrolls within a screen: by keys too, once it has the focus. */
export function ScrollRoom({ label, className, children, testId }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus no key would scroll it
    <section className={className} aria-label={label} tabIndex={0} data-testid={testId}>
      {children}
    </section>
  );
}
