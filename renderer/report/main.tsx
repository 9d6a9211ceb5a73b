import { createRoot } from 'react-dom/client';
import { Guard } from '../shell/guard';
import '../style/light.css';
import '../style/base.css';
import './page.css';
import { texts } from '../texts';
import { Report } from './report';
import { parseReport } from './report-data';
import { SessionReport } from './session-report';

const data = parseReport(document.getElementById('whiteline-run')?.textContent ?? '{}');
const title = data && ('session' in data ? data.session.name : data.run.title);
if (title !== null) document.title = `${title}, ${texts.report.title}`;

createRoot(document.getElementById('root') as HTMLElement).render(
  <Guard what={texts.report.thisReport}>
    <Page />
  </Guard>,
);

function Page() {
  if (!data) return <p>{texts.report.empty}</p>;
  const { header } = data;
  return (
    <>
      {/* The style of the page is that of A4. */}
      {header.paper === 'letter' && <style data-paper="letter">{'@page { size: letter landscape; }'}</style>}
      {'session' in data ? (
        <SessionReport data={data} header={header} />
      ) : (
        <Report data={data} header={header} />
      )}
    </>
  );
}
