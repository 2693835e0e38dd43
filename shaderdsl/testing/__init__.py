"""What a project that tests its kernels needs: goldens, literals that are checked, hypothesis strategies."""
