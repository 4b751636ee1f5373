export default function Landing() {
  return (
    <main className="mx-auto max-w-3xl p-6">
      <h1 className="text-4xl font-bold">Never lose your belongings again</h1>
    </main>
  );
}
