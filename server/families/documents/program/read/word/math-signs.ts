export const functionNames: ReadonlySet<string> = new Set(
  "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim ln log max min sec sin sinh sup tan tanh".split(
    " ",
  ),
);

const written = `α alpha β beta γ gamma δ delta ε epsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho
σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi
Ψ Psi Ω Omega ∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ∞ infty ± pm ∓ mp × times ÷ div ⋅ cdot ∙ cdot ∘ circ ∗ ast ≤ leq ≥ geq ≠ neq ≈ approx ≡ equiv
∼ sim ≃ simeq ≅ cong ∝ propto ≪ ll ≫ gg ∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ∪ cup ∩ cap ∅ emptyset ∖ setminus ∀ forall ∃ exists
¬ neg ∧ wedge ∨ vee ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow → rightarrow ← leftarrow ↔ leftrightarrow ↦ mapsto ∂ partial ∇ nabla √ surd ⊕ oplus ⊗ otimes
⊥ perp ∥ parallel ∠ angle ⋯ cdots … ldots ⋮ vdots ⋱ ddots ℏ hbar ℓ ell ℜ Re ℑ Im ⋃ bigcup ⋂ bigcap ⋁ bigvee ⋀ bigwedge ∎ blacksquare ′ prime ∣ mid † dagger`;

/** The LaTeX command of a sign. */
export const latexSigns: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...written.matchAll(/(\S) (\w+)/gu)].map(([, sign, command]) => [sign, `\\${command}`])),
  "−": "-",
};
