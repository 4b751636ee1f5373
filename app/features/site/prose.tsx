import { usePublicConfig } from '#app/client/public-config.ts';
import { WithName } from '#app/ui/with-name.tsx';
import type { Prose as ProseText } from '#domain/texts/pages/prose.ts';

/** A page of plain text: title, lead and sections. */
export function Prose({ prose }: { readonly prose: ProseText }) {
  return (
    <article className="flex flex-col gap-8">
      <header className="flex flex-col gap-3">
        <h1 className="font-bold text-3xl">{prose.title}</h1>
        <p className="text-ink-soft text-lg">
          <Sentences text={prose.lead} />
        </p>
      </header>
      {prose.sections.map(({ title, paragraphs, points }) => (
        <section key={title} className="flex flex-col gap-2.5">
          <h2 className="font-semibold text-xl">{title}</h2>
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>
              <Sentences text={paragraph} />
            </p>
          ))}
          {points !== undefined && (
            <ul className="flex list-disc flex-col gap-1.5 ps-5 marker:text-primary">
              {points.map((point) => (
                <li key={point}>
                  <Sentences text={point} />
                </li>
              ))}
            </ul>
          )}
        </section>
      ))}
    </article>
  );
}

/** The product's name stays as it is where a browser translates the page. */
function Sentences({ text }: { readonly text: string }) {
  const { productName } = usePublicConfig();
  return <WithName of={(name) => text.replaceAll(productName, name)} name={productName} />;
}
